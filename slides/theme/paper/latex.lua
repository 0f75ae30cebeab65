-- A document as PDF by LaTeX, the same under both engines: what classes mean on paper, formulas in the roles' colours, the
-- deck's acts and numbers of slides. Looks are in latex.tex, colours and fonts in a file made from data/theme.yml.

if not FORMAT:match("latex") then return {} end

local FOLDER = pandoc.path.directory(PANDOC_SCRIPT_FILE)
local common = assert(loadfile(pandoc.path.join { FOLDER, "common.lua" }))(FOLDER)
local words -- in the document's language

local function raw(text) return pandoc.RawBlock("latex", text) end

-- The looks go into the head from here, and not by `include-in-header`: the same settings then serve where `pdf` is Typst's.
local function looks(meta)
  local head = meta["header-includes"]
  local made = pandoc.List(pandoc.utils.type(head) == "List" and head or { head })
  for _, name in ipairs { pandoc.path.join { "..", "..", "..", ".cache", "latex", "theme.tex" }, "latex.tex" } do
    local file = assert(io.open(pandoc.path.join { FOLDER, name }))
    made:insert(pandoc.MetaBlocks { raw(file:read("a")) })
    file:close()
  end
  meta["header-includes"] = made
  return meta
end

local function set_in(environment, blocks, argument)
  local made = pandoc.Blocks { raw("\\begin{" .. environment .. "}" .. (argument or "")) }
  made:extend(blocks)
  made:insert(raw("\\end{" .. environment .. "}"))
  return made
end

local SPANS = { token = "\\token", best = "\\best", small = "\\smalltext" }
for class, name in pairs(common.ROLES) do SPANS[class] = "\\role" .. name end
local DIVS = { notes = "speakernotes", question = "question", box = "wash", place = "wash", small = "smallprint", dense = "smallprint" }

local function formula(math)
  math.text = common.coloured(common.unmarked(math.text))
  return math
end

local function neutral(span)
  if not span.classes:includes("neutral") then return nil end
  return span.content:walk {
    Math = function(math) return pandoc.RawInline("latex", "\\(" .. common.unmarked(math.text) .. "\\)") end,
  }
end

-- What a picture says to who can't see it, its quotes and dashes kept from pandoc, which would write them as TeX does.
local KEPT = { ["“"] = "\u{E001}", ["”"] = "\u{E002}", ["‘"] = "\u{E003}", ["’"] = "\u{E004}", ["–"] = "\u{E005}", ["—"] = "\u{E006}" }

local function picture(image)
  local words = image.attributes["fig-alt"]
  if words then image.attributes.alt = words:gsub("\xE2\x80[\x80-\xBF]", KEPT) end
  image.attributes["fig-alt"] = nil
  return common.sized(image, 470)
end

local function span(element)
  return common.spanned(element, SPANS, function(name, content)
    local inside = pandoc.Inlines { pandoc.RawInline("latex", name .. "{") }
    inside:extend(content)
    inside:insert(pandoc.RawInline("latex", "}"))
    return inside
  end)
end

local function div(element)
  if element.classes:includes("column") then return nil end
  if element.classes:includes("title-slide-notes") or element.classes:includes("block") then return element.content end
  if element.classes:includes("columns") then return common.stacked(element) end
  if element.classes:includes("natural") then element = common.natural(element) end
  if element.classes:includes("sum") then element = common.summed(element) end
  local content
  for _, class in ipairs(element.classes) do
    if DIVS[class] then content = set_in(DIVS[class], content or element.content, class == "notes" and "{" .. words.notes .. "}") end
  end
  return content
end

local function listing(code)
  return raw("\\begin{wash}\n\\begin{Verbatim}\n" .. code.text .. "\n\\end{Verbatim}\n\\end{wash}")
end

-- A long name may go on in the next line after one of its signs, as Typst has it.
local LONG = 24
local function breakable(code)
  if #code.text < LONG then return nil end
  local pieces = pandoc.Inlines {}
  for piece in code.text:gmatch("[^._/(,=]*[._/(,=]*") do
    if piece ~= "" then pieces:extend { pandoc.Code(piece, code.attr), pandoc.RawInline("latex", "\\allowbreak{}") } end
  end
  return pieces
end

-- A heading with a formula: pandoc would show its TeX in the outline.
local LEVELS = { "section", "subsection", "subsubsection" }
local function outlined(header)
  if not header.content:find_if(function(inline) return inline.t == "Math" end) then return nil end
  header.attributes.outline = common.outlined(header.content)
  return header
end
local function titled(header)
  local said, level = header.attributes.outline, LEVELS[header.level]
  header.attributes.outline = nil
  if not said or not level then return header end
  local text = pandoc.write(pandoc.Pandoc { pandoc.Plain(header.content) }, "latex", { wrap_text = "none" }):gsub("%s+$", "")
  local plain = pandoc.write(pandoc.Pandoc { pandoc.Plain { pandoc.Str(said) } }, "latex", { wrap_text = "none" }):gsub("%s+$", "")
  return raw("\\" .. level .. "{\\texorpdfstring{" .. text .. "}{" .. plain .. "}}\\label{" .. header.identifier .. "}")
end

-- One heading of a slide: its number stands at the right, and not in the outline.
local function heading(header, number)
  local tail = "\\texorpdfstring{\\slidenumber{" .. words.slide .. " " .. number .. "}}{}"
  header.content:insert(pandoc.RawInline("latex", tail))
  return { header }
end

local function paper(document)
  words = common.words(document.meta)
  return common.composed(document, heading)
end

return {
  { Meta = looks },
  { Pandoc = common.speak },
  { Header = outlined },
  { Pandoc = paper },
  { Span = neutral },
  { Math = formula, Image = picture, Code = breakable, CodeBlock = listing },
  { Div = div },
  { Span = span },
  { Header = titled },
}
