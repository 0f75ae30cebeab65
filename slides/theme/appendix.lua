-- The handout's last section: all that the slides show, slide by slide, with where it comes from.
-- The page's last cell leaves the rows (figures/appendix.py); on which slide each stands is read off the document, as
-- build/provenance.py reads it off the page: by the marks, and inside formulas, which hold none, by their text, in order.

-- Walks the document once, in order. Gives the slides, the slides on which each mark stands, the texts inside formulas.
local function places(document)
  local slides = { { title = document.meta.title and pandoc.Inlines(document.meta.title) } }
  local marks, formulas = {}, {}
  local here = function() return #slides end
  local function marked(element)
    local n = tonumber(element.attributes.n or element.attributes["data-n"] or "")
    if n then marks[#marks + 1] = { n = n, slide = here() } end
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
        local inside = div.content:walk { traverse = "topdown", Span = marked }
        here = deeper
        return pandoc.Div(inside), false
      end
    end,
    Span = marked,
    Math = function(math)
      for text in math.text:gmatch("\\text{([^{}]*)}") do
        formulas[#formulas + 1] = { text = text:gsub("\\([%%#&_$])", "%1"), slide = here() }
      end
    end,
  }
  return slides, marks, formulas
end

-- The rows of each slide. A call written twice stands in both places under its last mark: they are dealt out in order.
local function by_slide(entries, marks, formulas)
  local ids, waiting, rows, next_formula = {}, {}, {}, 1
  for _, entry in ipairs(entries) do ids[entry.n] = entry.id end
  for _, mark in ipairs(marks) do
    local id = assert(ids[mark.n], "the mark n=" .. mark.n .. " names nothing shown")
    waiting[id] = waiting[id] or {}
    table.insert(waiting[id], mark.slide)
  end
  for _, entry in ipairs(entries) do
    local slide
    if entry.formula then
      while formulas[next_formula] and formulas[next_formula].text ~= entry.text do next_formula = next_formula + 1 end
      slide = formulas[next_formula] and formulas[next_formula].slide
      next_formula = next_formula + 1
    else
      slide = waiting[entry.id] and table.remove(waiting[entry.id], 1)
    end
    assert(slide, entry.id .. " stands on no slide")
    rows[slide] = rows[slide] or {}
    table.insert(rows[slide], entry)
  end
  return rows
end

-- Takes the rows out of the document. Gives the section, empty where the page leaves none.
return function(document, quoted, written)
  local left
  document.blocks = document.blocks:walk {
    CodeBlock = function(code)
      if not code.classes:includes("ledger-appendix") then return nil end
      left = pandoc.json.decode(code.text, false)
      return {}
    end,
  }
  if not left then return pandoc.Blocks {} end
  local slides, marks, formulas = places(document)
  local rows = by_slide(left.entries, marks, formulas)

  local headings = {}
  for _, heading in ipairs(left.headings) do headings[#headings + 1] = quoted(heading) end
  local lines = { "#ledger-table((" .. table.concat(headings, ", ") .. ")," }
  for number, slide in ipairs(slides) do
    if rows[number] then
      local title = slide.title and written(slide.title) or "[]"
      lines[#lines + 1] = "ledger-slide(" .. quoted((left.slide:gsub("{number}", number))) .. ", " .. title .. "),"
      for _, row in ipairs(rows[number]) do
        local what = row.what ~= "" and quoted(row.what) or "none"
        local cells = { written(row.shown), what, written(row.value), quoted(row.call), quoted(row.place), quoted(row.kind) }
        lines[#lines + 1] = "ledger-row(" .. table.concat(cells, ", ") .. "),"
      end
    end
  end
  lines[#lines + 1] = ")"
  local notes = { quoted(left.notes_title) }
  for _, note in ipairs(left.notes) do notes[#notes + 1] = quoted(note) end
  if #left.notes > 0 then lines[#lines + 1] = "#ledger-notes(" .. table.concat(notes, ", ") .. ")" end

  return pandoc.Blocks {
    pandoc.RawBlock("typst", "#pagebreak(weak: true)"),
    pandoc.Header(1, left.title),
    pandoc.Para(left.opening),
    pandoc.RawBlock("typst", table.concat(lines, "\n")),
  }
end
