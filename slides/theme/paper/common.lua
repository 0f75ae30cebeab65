-- What the formats without HTML share: the theme's roles, a document's acts, slides in order, pictures of a slide's proportions,
-- what an edition leaves out. latex.lua and office.lua say how each thing is set.

local M = {}

local FOLDER = ... -- of this file
M.PIXEL = 470 / 1152 -- points of paper for a pixel of a slide: both widths without their margins

local function path(name) return pandoc.path.join { FOLDER, "..", "..", "..", "data", name } end

local function exists(name)
  local file = io.open(path(name))
  return file and file:close()
end

-- A file of data/ as pandoc reads metadata: texts are inlines.
function M.data(name)
  local file = assert(io.open(path(name)))
  local written = file:read("a")
  file:close()
  return pandoc.read("---\nin:\n" .. written:gsub("([^\n]*)\n", "  %1\n") .. "\n---\n", "markdown").meta["in"]
end

-- The roles of data/theme.yml: the class of each, the letters that it colours in formulas, the letters at which a
-- subscript names a role (W_K).
M.ROLES, M.LETTERS, M.NAMING = {}, {}, {}
local LETTERS, NAMING = M.LETTERS, M.NAMING
do
  local text, theme = pandoc.utils.stringify, M.data("theme.yml")
  for _, role in ipairs(theme.roles or {}) do
    M.ROLES[text(role.css)] = text(role.name)
    for _, letter in ipairs(role.letters) do LETTERS[text(letter)] = text(role.name) end
  end
  for _, letter in ipairs(theme.subscripts_name_roles_at or {}) do NAMING[text(letter)] = true end
end

-- What a document says of itself under `lecture:` (figures/kit/lecture.py): whether it is a deck, the acts by their first
-- slides. The letters of a role that it doesn't show are letters like any other.
function M.lecture(document)
  local said, starts, shown = document.meta.lecture or {}, {}, {}
  for _, act in ipairs(said.acts or {}) do starts[pandoc.utils.stringify(act.first)] = pandoc.Inlines(act.name) end
  for _, role in ipairs(said.roles or {}) do shown[pandoc.utils.stringify(role)] = true end
  for letter, role in pairs(LETTERS) do
    if said.roles and not shown[role] then LETTERS[letter] = nil end
  end
  return said.acts ~= nil or document.meta["is-deck"], starts
end

-- A formula without the ledger's invisible digits.
function M.unmarked(tex) return (tex:gsub("\xEF\xB8[\x80-\x89]", "")) end

-- Formulas in words (figures/kit/speech): Python is asked once for all of a document, with the heading that each stands under.
local SPOKEN = {}
local SPEECH = "import runpy, sys; sys.path.insert(0, sys.argv[1]); runpy.run_module('figures.kit.speech.asked', run_name='__main__')"

local function python()
  local active = os.getenv("VIRTUAL_ENV")
  return os.getenv("QUARTO_PYTHON") or active and pandoc.path.join { active, pandoc.system.os == "mingw32" and "Scripts" or "bin", "python" }
    or "python"
end

local function mathml(math)
  local options = pandoc.WriterOptions { html_math_method = "mathml" }
  return pandoc.write(pandoc.Pandoc { pandoc.Plain { pandoc.Math("InlineMath", M.unmarked(math.text)) } }, "html", options)
end

-- All formulas of a document, those in the texts that its last cell left for the list of numbers included where that is made.
function M.speak(document)
  local with_rows = M.edition(document.meta).numbers
  local asked, seen, title = {}, {}, pandoc.utils.stringify(document.meta.title or "")
  local function note(math)
    local tex = M.unmarked(math.text)
    if SPOKEN[tex] or seen[tex] then return end
    seen[tex] = true
    asked[#asked + 1] = { tex = tex, mathml = mathml(math), under = title }
  end
  local function in_markdown(value)
    if type(value) == "table" then
      for _, one in pairs(value) do in_markdown(one) end
    elseif type(value) == "string" and value:find("%$") then
      pandoc.read(value, "markdown"):walk { Math = note }
    end
  end
  document:walk {
    traverse = "topdown",
    Header = function(header) title = pandoc.utils.stringify(header.content:walk { Math = function(math) return pandoc.Str(math.text) end }) end,
    Math = note,
    CodeBlock = function(code)
      if with_rows and code.classes:includes("ledger-appendix") then in_markdown(pandoc.json.decode(code.text, false)) end
    end,
  }
  pandoc.Pandoc({}, document.meta):walk { Math = note }
  if #asked == 0 then return end
  local root = pandoc.path.join { FOLDER, "..", "..", ".." }
  local answer = pandoc.json.decode(pandoc.pipe(python(), { "-c", SPEECH, root }, pandoc.json.encode { lang = M.tag(document.meta), formulas = asked }), false)
  if answer.problem then error("\nPROBLEM\t" .. table.concat(answer.problem, "\t") .. "\n", 0) end
  for place, one in ipairs(asked) do SPOKEN[one.tex] = answer.said[place] end
end

-- What a formula says, once the document has been asked for.
function M.spoken(tex) return assert(SPOKEN[M.unmarked(tex)], tex .. " is not in words") end

-- A heading's text, its formulas in words: what the outline shows.
function M.outlined(inlines)
  return pandoc.utils.stringify(inlines:walk { Math = function(math) return pandoc.Str(M.spoken(math.text)) end })
end

-- A formula's letters in their roles' colours. A letter in a subscript belongs to what it sits under: d_k is a size.
function M.coloured(tex)
  local made, at, base = {}, 1, ""
  while at <= #tex do
    local text = tex:match("^\\%a+%s*%b{}", at)
    if not (text and text:match("^\\text") or text and text:match("^\\math") or text and text:match("^\\operatorname")
      or text and text:match("^\\begin") or text and text:match("^\\end")) then
      text = tex:match("^\\%a+", at) or tex:match("^\\.", at) or tex:match("^[%z\1-\127\194-\244][\128-\191]*", at)
    end
    if text == "_" then
      local below = tex:match("^%s*%b{}", at + 1) or tex:match("^%s*\\%a+", at + 1) or tex:match("^%s*.", at + 1) or ""
      made[#made + 1] = "_" .. (NAMING[base] and "{" .. M.coloured(below:gsub("^{(.*)}$", "%1")) .. "}" or below)
      at = at + #below
    elseif LETTERS[text] then
      made[#made + 1] = "\\mathcolor{" .. LETTERS[text] .. "}{" .. text .. "}"
      base = text
    else
      made[#made + 1] = text
      if not text:match("^%s$") then base = text end
    end
    at = at + #text
  end
  return table.concat(made)
end

-- A span under the names that its classes have in a format, each wrapped around it; without its mark of the ledger.
function M.spanned(element, names, wrap)
  local content, known = element.content, element.classes:includes("n")
  for _, class in ipairs(element.classes) do
    if names[class] then content, known = wrap(names[class], content), true end
  end
  if known then return content end
end

-- Plain text as inlines, its addresses as links.
function M.linked(text)
  local made, at = pandoc.Inlines {}, 1
  while true do
    local from, to = text:find("https?://[^%s;,)]+", at)
    if from and text:sub(to, to) == "." then to = to - 1 end
    made:insert(pandoc.Str(text:sub(at, (from or #text + 1) - 1)))
    if not from then return made end
    made:insert(pandoc.Link({ pandoc.Str(text:sub(from, to)) }, text:sub(from, to)))
    at = to + 1
  end
end

-- Pictures keep the proportion to the text that they have on a slide; under a name that every engine can write to a file.
local pictures = 0
function M.sized(image, most)
  local pixels = tonumber(image.attributes.pixels)
  image.attributes.pixels = nil
  if pixels then image.attributes.width = string.format("%.1fpt", math.min(pixels * M.PIXEL, most or math.huge)) end
  local kind, bytes = pandoc.mediabag.fetch(image.src)
  local other = FORMAT == "docx" and kind and kind:match("svg") -- stands for another format; pandoc would make a PNG of it
  if image.src:match("^data:") and bytes and not other then
    pictures = pictures + 1
    image.src = "picture-" .. pictures .. "." .. kind:match("/(%a+)")
    pandoc.mediabag.insert(image.src, kind, bytes)
  end
  return image
end

-- A table whose rows are long in the source only: as wide as its cells ask.
function M.natural(block)
  return block:walk {
    Table = function(table)
      for column, spec in ipairs(table.colspecs) do table.colspecs[column] = { spec[1], nil } end
      return table
    end,
  }
end

-- A last row that sums up the rows above.
function M.summed(div)
  return div:walk {
    Table = function(table)
      local rows = table.bodies[#table.bodies].body
      for _, cell in ipairs(rows[#rows].cells) do
        cell.contents = cell.contents:map(function(block) return pandoc.Plain { pandoc.Strong(block.content) } end)
      end
      return table
    end,
  }
end

-- What stands side by side on a slide, one below the other.
function M.stacked(div)
  local made = pandoc.Blocks {}
  for _, column in ipairs(div.content) do
    local inside = column.t == "Div" and column.classes:includes("column") and M.natural(column).content or { column }
    made:extend(inside)
  end
  return made
end

function M.is_title_notes(block)
  return block.t == "Div" and block.classes:includes("notes") and block.content[1] and block.content[1].t == "Div"
    and block.content[1].classes:includes("title-slide-notes")
end

-- The document's language, such as pt-BR.
function M.tag(meta)
  local lang, region = pandoc.utils.stringify(meta.lang or ""), pandoc.utils.stringify(meta.region or "")
  return region == "" and lang or lang .. "-" .. region
end

-- The words of the handout in the document's language or a more general one: data/words/LANGUAGE/handout.yml.
function M.words(meta)
  local text, tag = pandoc.utils.stringify, M.tag(meta)
  local rest = tag
  while rest ~= "" do
    local name = pandoc.path.join { "words", rest, "handout.yml" }
    if exists(name) then
      local words = M.data(name)
      return { notes = text(words.notes), slide = text(words.slide) }
    end
    rest = rest:match("^(.*)%-[^-]*$") or ""
  end
  error("data/words/" .. tag .. "/handout.yml: the file is missing. Translate that of another language into it.")
end

-- The deck on paper: each act opens before its first slide; `heading(header, number)` is called for each slide. A slide
-- before the first act opens under the deck's title, since a reader's first heading has to be one of the first level.
function M.by_act(document, heading)
  local is_deck, starts = M.lecture(document)
  if not is_deck then return document end
  local opening, blocks, number = pandoc.Blocks {}, pandoc.Blocks {}, 1
  for _, block in ipairs(document.blocks) do
    if block.t == "Header" and block.level <= 2 then
      local act = starts[block.identifier] or number == 1 and pandoc.Inlines(document.meta.title or {})
      if act and block.level == 2 then blocks:insert(pandoc.Header(1, act)) end
      number = number + 1
      blocks:extend(heading(block, number))
    else
      (M.is_title_notes(block) and opening or blocks):insert(block)
    end
  end
  opening:extend(blocks)
  return pandoc.Pandoc(opening, document.meta)
end

-- What this edition holds beside the slides: the speaker notes, and where each number comes from. The engine says it
-- (build/engine/document.py); where nobody does, as under Quarto, neither.
function M.edition(meta)
  local said = meta.edition or {}
  return { notes = said.notes == true, numbers = said.numbers == true }
end

-- Takes out of the document the blocks of a class, and gives what the last of them holds as JSON.
function M.taken(document, class)
  local held
  document.blocks = document.blocks:walk {
    CodeBlock = function(code)
      if not code.classes:includes(class) then return nil end
      held = pandoc.json.decode(code.text, false)
      return {}
    end,
  }
  return held
end

-- What the document's last cell left for the list of numbers.
function M.left(document)
  local left = M.taken(document, "ledger-appendix")
  document.meta["is-deck"] = left and left.deck
  return left
end

-- The document without its notes, unless this edition holds them.
function M.for_readers(document)
  if M.edition(document.meta).notes then return document end
  return document:walk { Div = function(div) return div.classes:includes("notes") and {} or nil end }
end

-- The document's acts, each under the heading that `heading` makes.
function M.composed(document, heading)
  M.left(document)
  return M.by_act(M.for_readers(document), heading)
end

return M
