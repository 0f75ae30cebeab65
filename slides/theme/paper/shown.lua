-- What the page has shown (figures/kit/shown.py) goes from the document to .cache/shown/NAME.FORMAT.json, where the check
-- of the output reads it.

local FOLDER = pandoc.path.directory(PANDOC_SCRIPT_FILE)

local function kept(text)
  local shown = pandoc.path.join { FOLDER, "..", "..", "..", ".cache", "shown" }
  pandoc.system.make_directory(shown, true)
  local name = pandoc.json.decode(text, false).document:gsub("%.%w+$", "")
  local file = assert(io.open(pandoc.path.join { shown, name .. "." .. FORMAT .. ".json" }, "wb"))
  file:write(text)
  file:close()
end

return {
  {
    CodeBlock = function(code)
      if not code.classes:includes("ledger-shown") then return nil end
      kept(code.text)
      return {}
    end,
  },
}
