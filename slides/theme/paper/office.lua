-- A document for Word, the same under both engines: what classes mean as styles, which `.cache/office/reference.docx` has
-- (build/paper/office_styles.py makes it from data/theme.yml). Formulas stay formulas; their letters are not coloured.

if not FORMAT:match("docx") then return {} end

local FOLDER = pandoc.path.directory(PANDOC_SCRIPT_FILE)
local common = assert(loadfile(pandoc.path.join { FOLDER, "common.lua" }))(FOLDER)
local words -- in the document's language

local SPANS = { token = "token", best = "best", small = "smalltext" }
for class, name in pairs(common.ROLES) do SPANS[class] = name end
local DIVS = { notes = "Notes", question = "Question", box = "Wash", place = "Wash", small = "Small Print" }

local function formula(math)
  math.text = common.unmarked(math.text)
  return math
end

-- Word's own place for what a picture says is filled from the words that would stand below it.
local function picture(image)
  if image.attributes["fig-alt"] then image.caption = { pandoc.Str(image.attributes["fig-alt"]) } end
  return common.sized(image, 468)
end

-- Listings in the page's own ink: pandoc's colours are too light for paper.
local function listing(code)
  code.classes = {}
  return code
end

local function span(element)
  return common.spanned(element, SPANS, function(name, content)
    return pandoc.Inlines { pandoc.Span(content, pandoc.Attr("", {}, { ["custom-style"] = name })) }
  end)
end

-- A table's columns as wide as what they hold: Word fits them itself, other readers of its format make all alike.
-- Where they need more than a line, the widest give way.
local LINE = 72 -- characters of a line
local function fitted(table)
  local widths, most = {}, LINE
  for column, spec in ipairs(table.colspecs) do
    if spec[2] then return nil end
    widths[column] = 0
  end
  local function measure(rows)
    for _, row in ipairs(rows) do
      for column, cell in ipairs(row.cells) do
        local text = pandoc.write(pandoc.Pandoc(cell.contents), "plain", { wrap_text = "none" }):gsub("%s+$", "")
        widths[column] = math.max(widths[column], pandoc.text.len(text) + 3)
      end
    end
  end
  measure(table.head.rows)
  for _, body in ipairs(table.bodies) do measure(body.body) end
  local function all()
    local sum = 0
    for _, width in ipairs(widths) do sum = sum + math.min(width, most) end
    return sum
  end
  while all() > LINE and most > 1 do most = most - 1 end
  for column, spec in ipairs(table.colspecs) do table.colspecs[column] = { spec[1], math.min(widths[column], most) / LINE } end
  return table
end

local function styled(name, blocks) return pandoc.Div(blocks, pandoc.Attr("", {}, { ["custom-style"] = name })) end

local function div(element)
  if element.classes:includes("column") then return nil end
  if element.classes:includes("title-slide-notes") or element.classes:includes("block") then return element.content end
  if element.classes:includes("columns") then return common.stacked(element) end
  if element.classes:includes("natural") then element = common.natural(element) end
  if element.classes:includes("sum") then element = common.summed(element) end
  for _, class in ipairs(element.classes) do
    if class == "notes" then element.content:insert(1, pandoc.Para { pandoc.Strong { pandoc.Str(words.notes) } }) end
    if class == "question" and element.content[1] and element.content[1].content then
      element.content[1].content:insert(1, pandoc.Str("?"))
      element.content[1].content:insert(2, pandoc.Space())
    end
    if DIVS[class] then return { styled(DIVS[class], element.content) } end
  end
end

local function heading(header, number)
  return { header, styled("Slide Number", { pandoc.Para { pandoc.Str(words.slide .. " " .. number) } }) }
end

local function paper(document)
  words = common.words(document.meta)
  return common.composed(common.natural(document), heading)
end

return {
  { Pandoc = paper },
  { Math = formula, Image = picture, CodeBlock = listing },
  { Div = div },
  { Table = fitted },
  { Span = span },
}
