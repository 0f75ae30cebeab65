-- What Quarto's own filters change between pandoc's reader and its writer, as far as our sources use it.
-- What they would change beyond that is refused by name, so that nothing looks right here and different there.

local NAMES = {
  revealjs = { revealjs = true, html = true, ["html:js"] = true },
  html5 = { html = true, html5 = true, ["html:js"] = true },
  typst = { typst = true },
  latex = { latex = true, pdf = true },
  ipynb = { ipynb = true, jupyter = true },
}
local KNOWN = { revealjs = true, html = true, html5 = true, ["html:js"] = true, typst = true, pdf = true, latex = true,
  docx = true, epub = true, markdown = true, ipynb = true, jupyter = true }
local IS = NAMES[FORMAT] or { [FORMAT] = true }
local HTML = IS.html
local PROFILES = {}
for name in (os.getenv("QUARTO_PROFILE") or ""):gmatch("[^ ,]+") do PROFILES[name] = true end

local function refuse(needle, what, remedy)
  error("\nPROBLEM\t" .. needle .. "\t" .. what .. "\t" .. remedy .. "\n", 0)
end

-- Conditional content: `.content-visible` and `.content-hidden` with when-format or unless-format, when-profile or unless-profile.
local function is_shown(element)
  local visible, hidden = element.classes:includes("content-visible"), element.classes:includes("content-hidden")
  local asked = false
  for key, name in pairs(element.attributes) do
    if key == "when-format" or key == "unless-format" then
      if not KNOWN[name] then
        refuse(name, "no format is called `" .. name .. "`", "Use revealjs, html, typst or ipynb.")
      end
      asked = (IS[name] or false) == (key == "when-format")
    elseif key == "when-profile" or key == "unless-profile" then
      asked = (PROFILES[name] or false) == (key == "when-profile")
    elseif key:match("^when%-") or key:match("^unless%-") then
      refuse(key, "the condition `" .. key .. "` is unknown to this engine", "Use when-format, when-profile, or either with unless-.")
    end
  end
  if visible then return asked end
  if hidden then return not asked end
end

local function conditional(element)
  local shown = is_shown(element)
  if shown == nil then return nil end
  if not shown then return {} end
  return element.t == "Div" and element.content or pandoc.Span(element.content)
end

local REFUSED = { "^callout%-", "^panel%-", "^column%-margin$", "^column%-page", "^aside$" }

local function refuse_what_is_not_done(element)
  for _, class in ipairs(element.classes) do
    for _, pattern in ipairs(REFUSED) do
      if class:match(pattern) then
        refuse(class, "the class `" .. class .. "` does something in Quarto that this engine doesn't do", "Use a class of your own.")
      end
    end
  end
  for key, _ in pairs(element.attributes) do
    if key:match("^layout") then
      refuse(key, "the attribute `" .. key .. "` does something in Quarto that this engine doesn't do", "Use columns.")
    end
  end
  if element.identifier:match("^fig%-") or element.identifier:match("^tbl%-") or element.identifier:match("^lst%-") then
    refuse(element.identifier, "the id `" .. element.identifier .. "` asks for a cross-reference", "Choose another prefix.")
  end
end

-- Pictures: fig-alt becomes the alt text; a captioned one, or one that a cell displays, becomes a figure.
local function with_alt(image)
  local alt = image.attributes["fig-alt"] or image.attributes.alt or pandoc.utils.stringify(image.caption)
  image.attributes.alt = alt ~= "" and alt or nil
  image.attributes["fig-alt"] = nil
  return image
end

local function html(text) return pandoc.RawBlock("html", text) end

local function figure(image, caption, class)
  local inside = pandoc.List { html("<figure>"), pandoc.Para { image } }
  if caption and #caption > 0 then
    inside:extend { html("<figcaption>"), pandoc.Plain(caption), html("</figcaption>") }
  end
  inside:insert(html("</figure>"))
  return pandoc.Div(inside, pandoc.Attr("", class and { "quarto-figure", class } or {}))
end

local function alone(block)
  return (block.t == "Para" or block.t == "Plain") and #block.content == 1 and block.content[1].t == "Image" and block.content[1]
end

local function displayed_pictures(div)
  if not div.classes:includes("cell-output-display") then return nil end
  div.content = div.content:map(function(block)
    local image = alone(block)
    return image and #image.caption == 0 and figure(image) or block
  end)
  return div
end

local function captioned(block)
  local image = block.content[1] and alone(block.content[1])
  if not image then return nil end
  return figure(image, pandoc.utils.blocks_to_inlines(block.caption.long), "quarto-figure-center")
end

-- Tables: widths from tbl-colwidths, and the classes that style sheets lean on.
local function widths_of(table)
  local asked = table.attributes["tbl-colwidths"]
  if not asked then return end
  local widths = {}
  for number in asked:gmatch("[%d.]+") do widths[#widths + 1] = tonumber(number) end
  if #widths ~= #table.colspecs then
    refuse(asked, "tbl-colwidths has " .. #widths .. " numbers for " .. #table.colspecs .. " columns", "Give one a column.")
  end
  for column, spec in ipairs(table.colspecs) do
    table.colspecs[column] = { spec[1], widths[column] / 100 }
  end
  table.attributes["tbl-colwidths"] = nil
end

local function striped(rows, first)
  for number, row in ipairs(rows) do
    row.attr.classes:insert(first or (number % 2 == 1 and "odd" or "even"))
  end
end

local function dressed(table)
  refuse_what_is_not_done(table)
  if table.identifier ~= "" then
    refuse("#" .. table.identifier, "the table has the id `" .. table.identifier .. "`, which Quarto loses", "Put the table in a div with the id.")
  end
  widths_of(table)
  if not HTML then return table end
  table.classes:insert("caption-top")
  striped(table.head.rows, "header")
  for _, body in ipairs(table.bodies) do striped(body.body) end
  return table
end

-- Listings get numbered lines unless they say no.
local function numbered(block)
  local asked = block.attributes["code-line-numbers"]
  if asked == "false" or asked == "true" then block.attributes["code-line-numbers"] = nil end
  if FORMAT == "revealjs" and #block.classes > 0 and asked ~= "false" then block.classes:insert(2, "number-lines") end
  return block
end

-- A slide with visibility="hidden" is left out with all that follows, up to the next slide.
local function without_hidden_slides(blocks)
  if FORMAT ~= "revealjs" then return nil end
  local hidden = false
  return blocks:filter(function(block)
    if block.t == "Header" and block.level <= 2 then
      hidden = block.attributes.visibility == "hidden"
    elseif block.t == "HorizontalRule" then
      hidden = false
    end
    return not hidden
  end)
end

-- Paper: pandoc writes no alt text into Typst, and Typst reads no data: addresses, so the file and the call are made here.
local function typst_string(text) return '"' .. text:gsub("\\", "\\\\"):gsub('"', '\\"') .. '"' end

local function typst_length(value)
  local pixels = value:match("^([%d.]+)p?x?$")
  return pixels and string.format("%.4fin", tonumber(pixels) / 96) or value
end

local function paper_picture(image)
  local kind, bytes = pandoc.mediabag.fetch(image.src)
  if not bytes then refuse(image.src, "there is no picture " .. image.src, "Correct its path.") end
  local name = pandoc.utils.sha1(bytes) .. "." .. kind:match("/(%a+)")
  pandoc.mediabag.insert(name, kind, bytes)
  local options = { typst_string("media/" .. name) }
  if image.attributes.alt then options[#options + 1] = "alt: " .. typst_string(image.attributes.alt) end
  for _, side in ipairs { "width", "height" } do
    if image.attributes[side] then options[#options + 1] = side .. ": " .. typst_length(image.attributes[side]) end
  end
  return pandoc.RawInline("typst", "#box(image(" .. table.concat(options, ", ") .. "))")
end

-- Notebooks: a cell becomes a code cell that keeps its outputs; one whose code is hidden leaves what it displays as text.
local function output_of(div)
  if div.classes:includes("cell-output-stdout") then
    return pandoc.Div(div.content, pandoc.Attr("", { "output", "stream", "stdout" }))
  end
  local count = div.attributes["execution_count"]
  local attr = pandoc.Attr("", { "output", count and "execute_result" or "display_data" }, count and { execution_count = count } or {})
  if div.classes:includes("cell-output-markdown") then
    local text = pandoc.write(pandoc.Pandoc(div.content), "gfm+tex_math_dollars-tex_math_gfm", { wrap_text = "none" })
    return pandoc.Div({ pandoc.RawBlock("markdown", text) }, attr)
  end
  return pandoc.Div(div.content, attr)
end

local function notebook_cell(div)
  if not div.classes:includes("cell") then return nil end
  local code = div.content[1]
  if not (code and code.t == "CodeBlock" and code.classes:includes("cell-code")) then
    local shown = pandoc.List {}
    for _, output in ipairs(div.content) do shown:extend(output.content) end
    return shown
  end
  local inside = pandoc.List { pandoc.CodeBlock(code.text, pandoc.Attr("", { "python" })) }
  for number = 2, #div.content do inside:insert(output_of(div.content[number])) end
  return pandoc.Div(inside, pandoc.Attr(div.identifier, { "cell", "code" }, { execution_count = div.attributes["execution_count"] }))
end

local function no_animation(header)
  if header.attributes["auto-animate"] then
    refuse("auto-animate", "auto-animate is unknown to this engine", "Use fragments.")
  end
end

local function no_citations(cite)
  local key = "@" .. cite.citations[1].id
  refuse(key, "`" .. key .. "` asks for a citation or cross-reference", "Write `\\" .. key .. "` for the sign itself.")
end

return {
  { Div = conditional, Span = conditional },
  { Pandoc = function(document) return pandoc.Pandoc(without_hidden_slides(document.blocks) or document.blocks, document.meta) end },
  { Div = refuse_what_is_not_done, Span = refuse_what_is_not_done, Cite = no_citations, Header = no_animation },
  { Image = with_alt },
  FORMAT == "typst" and { Image = paper_picture } or {},
  FORMAT == "ipynb" and { Div = notebook_cell } or {},
  HTML and { Div = displayed_pictures, Figure = captioned } or {},
  { Table = dressed, CodeBlock = numbered },
}
