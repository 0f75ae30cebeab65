-- The handout's own reading of the deck, the same under both engines: what a slide's classes mean on paper, the act that
-- starts at a slide, the title slide's notes, the roles in words and formulas. Looks are in handout.typ.

if not FORMAT:match("typst") then return {} end

local FOLDER = pandoc.path.join { pandoc.path.directory(PANDOC_SCRIPT_FILE), "paper" }
local common = assert(loadfile(pandoc.path.join { FOLDER, "common.lua" }))(FOLDER)
local natural, summed = common.natural, common.summed
local PIXEL, ROLES, LETTERS, NAMING = common.PIXEL, common.ROLES, common.LETTERS, common.NAMING

local function raw(text) return pandoc.RawBlock("typst", text) end
local function raw_inline(text) return pandoc.RawInline("typst", text) end

-- A Typst function around some content. The semicolon ends the call, whatever text follows.
local function wrapped(name, blocks)
  local made = pandoc.Blocks { raw("#" .. name .. "[") }
  made:extend(blocks)
  made:insert(raw("]"))
  return made
end

local function wrapped_inline(name, inlines)
  local made = pandoc.Inlines { raw_inline("#" .. name .. "[") }
  made:extend(inlines)
  made:insert(raw_inline("];"))
  return made
end

-- A text as Typst's code has it, its line ends as given.
local function quoted(text, line_end) return '"' .. text:gsub("\\", "\\\\"):gsub('"', '\\"'):gsub("\n", line_end or " ") .. '"' end

-- What is set once at the start: the words of the handout, and Typst's names for the coloured letters, `roleq` in a formula.
local function opening_lines(meta)
  local words = common.words(meta)
  local made = { "#words.update((notes: " .. quoted(words.notes) .. ", slide: " .. quoted(words.slide) .. "))" }
  for letter, role in pairs(LETTERS) do made[#made + 1] = "#let role" .. letter .. ' = role-letter("' .. role .. '", "' .. letter .. '")' end
  table.sort(made)
  return raw(table.concat(made, "\n"))
end

-- A letter in a subscript belongs to what it sits under (d_k is a size), but at some letters it names a role (W_K), as
-- build/page/formula_colours.py has it.
local function coloured(math)
  local made, at, base = {}, 1, ""
  local function put(text) made[#made + 1] = text end
  local function unit(from) -- the end of what a subscript takes: a group in parentheses, a string or one name
    if math:sub(from, from) == "(" then return select(2, math:find("^%b()", from)) end
    if math:sub(from, from) == '"' then return select(2, math:find('^"[^"]*"', from)) end
    local _, name_end = math:find("^[%a][%w.]*", from)
    if name_end and math:sub(name_end + 1, name_end + 1) == "(" then return select(2, math:find("^%b()", name_end + 1)) end
    return name_end or from
  end
  while at <= #math do
    local text = math:match('^"[^"]*"', at) or math:match("^\\.", at) or math:match("^#?%a[%w.]*", at)
    if not text then
      text = math:sub(at, at)
      if text == "_" then
        local stop = unit(at + 1)
        local inside = math:sub(at + 1, stop)
        local named = NAMING[base] and coloured(inside) or inside
        put("_" .. (NAMING[base] and LETTERS[inside] and "(" .. named .. ")" or named))
        at, text = stop + 1, ""
      elseif not text:match("%s") then
        base = text
        put(text)
      else
        put(text)
      end
    else
      base = text
      put(LETTERS[text] and "role" .. text or text)
    end
    at = at + #text
  end
  return table.concat(made)
end

local function formula(math, plain)
  math.text = common.unmarked(math.text) -- the ledger's marks, which appendix.lua has read
  local typst = pandoc.write(pandoc.Pandoc { pandoc.Plain { math } }, "typst"):gsub("^%s+", ""):gsub("%s+$", "")
  local inside = typst:gsub("^%$", ""):gsub("%$$", "")
  inside = inside:gsub("%s*#h%(%-1em%)", ""):gsub("#h%(0em%)", "#h(0.28em)") -- pandoc rounds \! and \; to whole ems
  inside = inside:gsub('"%)%s+(\\?%()', '")%1') -- a space after a word would be drawn
  local block = math.mathtype == "DisplayMath" and "true" or "false"
  return raw_inline(
    "#math.equation(block: " .. block .. ", alt: " .. quoted(common.spoken(math.text)) .. ", $" .. (plain and inside or coloured(inside)) .. "$);"
  )
end

-- Spans and divs.
local SPANS = { token = "token", best = "best", small = "small-text" }
for class, name in pairs(ROLES) do SPANS[class] = 'role("' .. name .. '")' end
local DIVS = { notes = "notes", question = "question", box = "boxed", place = "boxed", small = "small", dense = "dense" }

local function neutral(element)
  if not element.classes:includes("neutral") then return nil end
  return element.content:walk { Math = function(math) return formula(math, true) end }
end

local function span(element) return common.spanned(element, SPANS, wrapped_inline) end

local function columns(div)
  local widths, cells = {}, pandoc.Blocks {}
  for _, column in ipairs(div.content) do
    if column.t == "Div" and column.classes:includes("column") then
      if #widths > 0 then cells:insert(raw("][")) end
      widths[#widths + 1] = (column.attributes.width or "50%"):gsub("%%", "fr")
      column.attributes.width = nil
      local inside = natural(column).content
      for class, name in pairs(DIVS) do
        if column.classes:includes(class) then inside = wrapped(name, inside) end
      end
      cells:extend(inside)
    end
  end
  local made = pandoc.Blocks { raw("#side-by-side((" .. table.concat(widths, ", ") .. ",))[") }
  made:extend(cells)
  made:insert(raw("]"))
  return made
end

local function captioned(div)
  div.content = div.content:map(function(block) return block.t == "Para" and pandoc.Div(wrapped("caption", { block })) or block end)
  return div
end

local function div(element)
  if element.classes:includes("column") then return nil end
  if element.classes:includes("title-slide-notes") then return element.content end
  if element.classes:includes("block") then return element.content end -- the ledger's; Quarto would take its mark for Typst's
  if element.classes:includes("columns") then return columns(element) end
  if element.classes:includes("natural") then element = natural(element) end
  if element.classes:includes("sum") then element = summed(element) end
  if element.classes:includes("figure") then return captioned(element) end
  local content = nil
  if element.classes:includes("sum") or element.classes:includes("natural") then content = element.content end
  for class, name in pairs(DIVS) do
    if element.classes:includes(class) then content = wrapped(name, content or element.content) end
  end
  return content
end

-- Pictures keep the proportion to the text that they have on a slide.
local function sized(image)
  local kind, bytes = pandoc.mediabag.fetch(image.src)
  local pixels = kind and kind:match("svg") and bytes:match('<svg[^>]-%swidth="([%d.]+)"')
  if pixels then image.attributes.width = string.format("%.1fpt", tonumber(pixels) * PIXEL) end
  return image
end

-- Listings as Typst sets them: Quarto would colour them by a highlighter of its own.
local function listing(code) return raw("#raw(block: true, " .. quoted(code.text, "\\n") .. ")") end

-- Markdown, or inlines, as Typst's content.
local function written(text)
  local inlines = text
  if type(text) == "string" then
    if not text:find("[%[%]%$`*_\\^~{}<>@#\"'|&]") and not text:find("^[%d%(+-]") then return quoted(text) end
    local unlisted = text:gsub("^([%(#>+*-])", "\\%1"):gsub("^(%w+)([.%)])", "%1\\%2")
    inlines = pandoc.utils.blocks_to_inlines(pandoc.read(unlisted, "markdown").blocks)
  end
  local plain = pandoc.Pandoc { pandoc.Plain(inlines) }
  plain = plain:walk { Span = neutral }:walk { Math = function(math) return formula(math, false) end }:walk { Span = span }
  return "[" .. pandoc.write(plain, "typst", { wrap_text = "none" }):gsub("%s+$", "") .. "]"
end

local listing_of_numbers = dofile(pandoc.path.join { pandoc.path.directory(PANDOC_SCRIPT_FILE), "appendix.lua" })

-- A formula in a heading stands there in words, which is what the outline shows, and is drawn in its place.
local function with_titles(document)
  local drawn = pandoc.Blocks {}
  document.blocks = document.blocks:walk { Header = function(header)
    header.content = header.content:walk { Math = function(math)
      local label = "<title-formula-" .. (#drawn + 1) .. ">"
      drawn:insert(raw("#show " .. label .. ": " .. formula(math, false).text:gsub("^#", ""):gsub(";$", "")))
      return raw_inline("#[#text(" .. quoted(common.spoken(math.text)) .. ")" .. label .. "];") -- in brackets: a label ends a heading
    end }
    return header
  end }
  drawn:extend(document.blocks)
  document.blocks = drawn
  return document
end

-- A page to read: its sections are headings, from the first level on, as readers of PDF ask.
local function sections(document)
  local top = math.huge
  document:walk { Header = function(header) top = math.min(top, header.level) end }
  local made = document.blocks:walk { Header = function(header)
    header.level = header.level - top + 1
    return header
  end }
  made:insert(1, opening_lines(document.meta))
  made:insert(2, raw("#show: sections"))
  return pandoc.Pandoc(made, document.meta)
end

-- Each slide, its title and notes included, becomes one block. A slide before the first act opens under the deck's title,
-- since a reader's first heading has to be one of the first level.
local function slides(document, starts)
  local opening, blocks, slide = pandoc.Blocks {}, pandoc.Blocks {}, pandoc.Blocks {}
  local started = false
  local function close()
    if #slide > 0 then blocks:extend(wrapped("slide", slide)) end
    slide = pandoc.Blocks {}
  end
  for _, block in ipairs(document.blocks) do
    if block.t == "Header" and block.level <= 2 then
      close()
      local act = starts[block.identifier] or not started and pandoc.Inlines(document.meta.title)
      if act and block.level == 2 then blocks:insert(pandoc.Header(1, act)) end
      started = true
    end
    (started and not common.is_title_notes(block) and slide or opening):insert(block)
  end
  close()
  opening:insert(1, opening_lines(document.meta))
  opening:extend(blocks)
  return pandoc.Pandoc(opening, document.meta)
end

-- The list of numbers alone, in a file of its own.
local function numbers(document, left)
  local slides, marks = listing_of_numbers.places(document)
  local to = { quoted = quoted, written = written, linked = common.linked }
  local made = listing_of_numbers.section(left, slides, marks, common.edition(document.meta).notes, to)
  made:insert(1, opening_lines(document.meta))
  return pandoc.Pandoc(made, document.meta)
end

local function paper(document)
  common.speak(document)
  local left = common.left(document)
  local is_deck, starts = common.lecture(document)
  if left and common.edition(document.meta).numbers then return numbers(document, left) end
  document = with_titles(common.for_readers(document))
  return is_deck and slides(document, starts) or sections(document)
end

return {
  { Pandoc = paper },
  { Div = div },
  { Image = sized, CodeBlock = listing },
  { Span = neutral },
  { Math = function(math) return formula(math, false) end },
  { Span = span },
}
