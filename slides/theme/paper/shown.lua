-- What the page has shown (figures/kit/shown.py) goes from the document to .cache/shown/NAME.FORMAT.json, where the check
-- of the output reads it: without what stands in notes alone where an edition leaves them out, and nothing for the list of numbers.

local FOLDER = pandoc.path.directory(PANDOC_SCRIPT_FILE)
local common = assert(loadfile(pandoc.path.join { FOLDER, "common.lua" }))(FOLDER)
local numbers = dofile(pandoc.path.join { FOLDER, "..", "appendix.lua" })

local function kept(said)
  for _, entry in ipairs(said.entries) do entry.n, entry.named = nil, nil end
  local shown = pandoc.path.join { FOLDER, "..", "..", "..", ".cache", "shown" }
  pandoc.system.make_directory(shown, true)
  local name = said.document:gsub("%.%w+$", "")
  local file = assert(io.open(pandoc.path.join { shown, name .. "." .. FORMAT .. ".json" }, "wb"))
  file:write(pandoc.json.encode(said))
  file:close()
end

-- Of the entries of one call, as many as are marked outside of notes.
local function outside_notes(entries, document)
  local ids, left, made = {}, {}, pandoc.List {}
  for _, entry in ipairs(entries) do ids[entry.n] = entry.named end
  local _, marks = numbers.places(document)
  for _, mark in ipairs(marks) do
    local id = ids[mark.n]
    if id and not mark.in_notes then left[id] = (left[id] or 0) + 1 end
  end
  for _, entry in ipairs(entries) do
    if (left[entry.named] or 0) > 0 then
      left[entry.named] = left[entry.named] - 1
      made:insert(entry)
    end
  end
  return made
end

return {
  {
    Pandoc = function(document)
      local said = common.taken(document, "ledger-shown")
      if not said then return document end
      local edition = common.edition(document.meta)
      if edition.numbers then said.entries = pandoc.List {} end
      if not edition.notes then said.entries = outside_notes(said.entries, document) end
      kept(said)
      return document
    end,
  },
}
