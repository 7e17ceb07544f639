// Folders of their own for tests; all are removed at the end of the run.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'

/** A new folder; `write` writes a file there, with the folders that it needs, and returns its path. */
export function ownFolder() {
  const folder = mkdtempSync(join(inject('runFolder'), 'own-'))
  const write = (name: string, text: string) => {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return path
  }
  return { folder, write }
}
