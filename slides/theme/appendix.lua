-- The handout's last section: all that the slides show, slide by slide, with where it comes from.
-- The page's last cell leaves the rows (figures/kit/appendix.py), and each thing shown carries its row's number, in
-- formulas as invisible digits (figures/kit/marks.py). On which slide it stands is read off the document, as build/proof/ledger_file.py reads it off the page.

-- Walks the document once, in order. Gives the slides, and each mark with the slide on which it stands.
local function places(document)
  local slides = { { title = document.meta.title and pandoc.Inlines(document.meta.title) } }
  local marks = {}
  local here = function() return #slides end
  local function note(n) marks[#marks + 1] = { n = n, slide = here() } end
  local function marked(element)
    local n = tonumber(element.attributes.n or element.attributes["data-n"] or "")
    if n then note(n) end
  end
  local function formula(math)
    for text in math.text:gmatch("\\text{([^{}]*)}") do
      local digits = ""
      text:gsub("\xEF\xB8([\x80-\x89])", function(byte) digits = digits .. byte:byte() - 0x80 end)
      if digits ~= "" then note(tonumber(digits)) end
    end
  end
  document:walk {
    traverse = "topdown",
    Header = function(header)
      if header.level <= 2 then slides[#slides + 1] = { title = header.content } end
    end,
    Div = function(div)
      marked(div)
      if div.classes:includes("title-slide-notes") then
        local deeper = here
        here = function() return 1 end
        local inside = div.content:walk { traverse = "topdown", Span = marked, Math = formula }
        here = deeper
        return pandoc.Div(inside), false
      end
    end,
    Span = marked,
    Math = formula,
  }
  return slides, marks
end

-- The rows of each slide. A call written twice stands in both places under its last mark: they are dealt out in order.
local function by_slide(entries, marks)
  local ids, waiting, rows = {}, {}, {}
  for _, entry in ipairs(entries) do ids[entry.n] = entry.id end
  for _, mark in ipairs(marks) do
    local id = assert(ids[mark.n], "the mark n=" .. mark.n .. " names nothing shown")
    waiting[id] = waiting[id] or {}
    table.insert(waiting[id], mark.slide)
  end
  for _, entry in ipairs(entries) do
    local slide = waiting[entry.id] and table.remove(waiting[entry.id], 1)
    assert(slide, entry.id .. " stands on no slide")
    rows[slide] = rows[slide] or {}
    table.insert(rows[slide], entry)
  end
  return rows
end

-- Takes the rows out of the document. Gives the section, empty where the page leaves none: `to.set` makes it of the rows, or
-- else it is Typst's, with `to.quoted` for a text in its code and `to.written` for Markdown or inlines as its content.
return function(document, to)
  local left
  document.blocks = document.blocks:walk {
    CodeBlock = function(code)
      if not code.classes:includes("ledger-appendix") then return nil end
      left = pandoc.json.decode(code.text, false)
      return {}
    end,
  }
  if not left then return pandoc.Blocks {} end
  document.meta["is-deck"] = left.deck
  local slides, marks = places(document)
  local rows = by_slide(left.entries, marks)

  if to.set then return to.set(left, slides, rows) end
  local quoted, written = to.quoted, to.written

  local headings = {}
  for _, heading in ipairs(left.headings) do headings[#headings + 1] = quoted(heading) end
  local lines = { "#ledger-table((" .. table.concat(headings, ", ") .. ")," }
  for number, slide in ipairs(slides) do
    if rows[number] then
      local title = slide.title and written(slide.title) or "[]"
      lines[#lines + 1] = "ledger-slide(" .. quoted((left.slide:gsub("{number}", number))) .. ", " .. title .. "),"
      for nth, row in ipairs(rows[number]) do
        local what = row.what ~= "" and quoted(row.what) or "none"
        local cells = { quoted(number .. "." .. nth), written(row.shown), what, written(row.value), quoted(row.call), quoted(row.place), quoted(row.kind) }
        lines[#lines + 1] = "ledger-row(" .. table.concat(cells, ", ") .. "),"
      end
    end
  end
  lines[#lines + 1] = ")"
  local notes = { quoted(left.notes_title) }
  for _, note in ipairs(left.notes) do notes[#notes + 1] = written(to.linked(note)) end
  if #left.notes > 0 then lines[#lines + 1] = "#ledger-notes(" .. table.concat(notes, ", ") .. ")" end

  return pandoc.Blocks {
    pandoc.RawBlock("typst", "#pagebreak(weak: true)"),
    pandoc.Header(1, left.title),
    pandoc.Para(left.opening),
    pandoc.RawBlock("typst", table.concat(lines, "\n")),
  }
end
