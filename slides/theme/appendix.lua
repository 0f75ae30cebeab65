-- The list of numbers: all that the slides show, slide by slide, with where it comes from.
-- The page's last cell leaves the rows (figures/kit/appendix.py), and each thing shown carries its row's number, in
-- formulas as invisible digits (figures/kit/marks.py). On which slide it stands, and whether in its notes, is read off the
-- document, as build/proof/ledger_file.py reads it off the page.

local M = {}

-- Walks the document once, in order. Gives the slides, and each mark with the slide on which it stands.
function M.places(document)
  local slides = { { title = document.meta.title and pandoc.Inlines(document.meta.title) } }
  local marks = {}
  local on_title, in_notes = false, false
  local function note(n) marks[#marks + 1] = { n = n, slide = on_title and 1 or #slides, in_notes = in_notes } end
  local function marked(element)
    local n = tonumber(element.attributes.n or element.attributes["data-n"] or "")
    if n then note(n) end
  end
  local walker = { traverse = "topdown", Span = marked }
  function walker.Math(math)
    for text in math.text:gmatch("\\text{([^{}]*)}") do
      local digits = ""
      text:gsub("\xEF\xB8([\x80-\x89])", function(byte) digits = digits .. byte:byte() - 0x80 end)
      if digits ~= "" then note(tonumber(digits)) end
    end
  end
  function walker.Header(header)
    if header.level <= 2 then slides[#slides + 1] = { title = header.content } end
  end
  function walker.Div(div)
    marked(div)
    local title, notes = div.classes:includes("title-slide-notes"), div.classes:includes("notes")
    if not title and not notes then return nil end
    local before = { on_title, in_notes }
    on_title, in_notes = on_title or title, in_notes or notes
    div.content:walk(walker)
    on_title, in_notes = before[1], before[2]
    return div, false
  end
  document:walk(walker)
  return slides, marks
end

-- The rows of each slide. A call written twice stands in both places under its last mark: they are dealt out in order.
local function by_slide(entries, marks)
  local ids, waiting, rows = {}, {}, {}
  for _, entry in ipairs(entries) do ids[entry.n] = entry.id end
  for _, mark in ipairs(marks) do
    local id = assert(ids[mark.n], "the mark n=" .. mark.n .. " names nothing shown")
    waiting[id] = waiting[id] or {}
    table.insert(waiting[id], mark)
  end
  for _, entry in ipairs(entries) do
    local mark = waiting[entry.id] and table.remove(waiting[entry.id], 1)
    assert(mark, entry.id .. " stands on no slide")
    entry.in_notes = mark.in_notes
    rows[mark.slide] = rows[mark.slide] or {}
    table.insert(rows[mark.slide], entry)
  end
  return rows
end

-- The section as Typst: `to.quoted` makes a text in its code, `to.written` Markdown or inlines its content. Without
-- `with_notes` it has no row of what only notes show; the others keep their names.
function M.section(left, slides, marks, with_notes, to)
  local quoted, written = to.quoted, to.written
  local rows, cited = by_slide(left.entries, marks), {}
  local headings = {}
  for _, heading in ipairs(left.headings) do headings[#headings + 1] = quoted(heading) end
  local lines = { "#ledger-table((" .. table.concat(headings, ", ") .. ")," }
  for number, slide in ipairs(slides) do
    local here = {}
    for nth, row in ipairs(rows[number] or {}) do
      if with_notes or not row.in_notes then
        for note in (row.kind:match("%[([%d, ]+)%]$") or ""):gmatch("%d+") do cited[tonumber(note)] = true end
        local what = row.what ~= "" and quoted(row.what) or "none"
        local cells = { quoted(number .. "." .. nth), written(row.shown), what, written(row.value), quoted(row.call), quoted(row.place), quoted(row.kind) }
        here[#here + 1] = "ledger-row(" .. table.concat(cells, ", ") .. "),"
      end
    end
    if #here > 0 then
      local title = slide.title and written(slide.title) or "[]"
      lines[#lines + 1] = "ledger-slide(" .. quoted((left.slide:gsub("{number}", number))) .. ", " .. title .. "),"
      table.move(here, 1, #here, #lines + 1, lines)
    end
  end
  lines[#lines + 1] = ")"
  local notes = {}
  for number, note in ipairs(left.notes) do
    if cited[number] then notes[#notes + 1] = "enum.item(" .. number .. ", " .. written(to.linked(note)) .. ")" end
  end
  if #notes > 0 then lines[#lines + 1] = "#ledger-notes(" .. quoted(left.notes_title) .. ", " .. table.concat(notes, ", ") .. ")" end
  return pandoc.Blocks {
    pandoc.Header(1, left.title),
    pandoc.Para(left.opening),
    pandoc.RawBlock("typst", table.concat(lines, "\n")),
  }
end

return M
