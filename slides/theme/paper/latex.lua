-- A document as PDF by LaTeX, the same under both engines: what classes mean on paper, formulas in the roles' colours, the
-- deck's acts and numbers of slides. Looks are in latex.tex, colours and fonts in a file made from data/theme.yml.

if not FORMAT:match("latex") then return {} end

local FOLDER = pandoc.path.directory(PANDOC_SCRIPT_FILE)
local common = assert(loadfile(pandoc.path.join { FOLDER, "common.lua" }))(FOLDER)
local words -- in the document's language

local function raw(text) return pandoc.RawBlock("latex", text) end

local function set_in(environment, blocks, argument)
  local made = pandoc.Blocks { raw("\\begin{" .. environment .. "}" .. (argument or "")) }
  made:extend(blocks)
  made:insert(raw("\\end{" .. environment .. "}"))
  return made
end

local SPANS = { token = "\\token", best = "\\best", small = "\\smalltext" }
for class, name in pairs(common.ROLES) do SPANS[class] = "\\role" .. name end
local DIVS = { notes = "speakernotes", question = "question", box = "wash", place = "wash", small = "smallprint", dense = "smallprint",
  ledger = "ledgerprint" }

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
  local content, known = element.content, element.classes:includes("n")
  for _, class in ipairs(element.classes) do
    if SPANS[class] then
      local inside = pandoc.Inlines { pandoc.RawInline("latex", SPANS[class] .. "{") }
      inside:extend(content)
      inside:insert(pandoc.RawInline("latex", "}"))
      content, known = inside, true
    end
  end
  if known then return content end
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

-- One heading of a slide: its number stands at the right, and not in the outline.
local function heading(header, number)
  local tail = "\\texorpdfstring{\\slidenumber{" .. words.slide .. " " .. number .. "}}{}"
  header.content:insert(pandoc.RawInline("latex", tail))
  return { header }
end

local function paper(document)
  words = common.words(document.meta)
  local ending = common.appendix(document)
  document = common.by_act(document, heading)
  document.blocks:extend(ending)
  return document
end

return {
  { Pandoc = paper },
  { Span = neutral },
  { Math = formula, Image = picture },
  { Div = div },
  { Span = span },
}
