// Names the code that runs: what one process read from a rule file means the same only to the same code (docs/decisions/0033).
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = new URL('../../', import.meta.url)
const bundle = new URL('../bundle/', import.meta.url)

/**
 * A digest of this Bellhop's files (the bundle; its sources, where it runs from those), of its packages, and of the Node that it runs on, whose
 * time zones a rule may name. Nobody has to raise a number. Asked for at the start, it is of the files that were loaded.
 */
export function codeDigest(): Promise<string> {
  return digestOf({
    folder: existsSync(bundle) ? bundle : new URL('../', import.meta.url),
    packages: ['package.json', 'package-lock.json'].map((name) => new URL(name, root)),
    runsOn: process.versions,
  })
}

export interface RunningCode {
  /** All files in it count. */
  folder: URL
  /** Those that are not there do not count. */
  packages: readonly URL[]
  runsOn: Readonly<Record<string, string | undefined>>
}

/** Of equal content the same, wherever it lies. Throws where a file cannot be read. */
export async function digestOf({ folder, packages, runsOn }: RunningCode): Promise<string> {
  const top = fileURLToPath(folder)
  const entries = await readdir(top, { recursive: true, withFileTypes: true })
  const ofFolder = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const paths = [...ofFolder.sort(), ...packages.map((each) => fileURLToPath(each)).filter((path) => existsSync(path))]
  const contents = await Promise.all(paths.map((path) => readFile(path)))
  const hash = createHash('sha256').update(JSON.stringify(runsOn))
  for (const [index, content] of contents.entries())
    hash.update(`\n${relative(top, paths[index] ?? '')} ${content.length}\n`).update(content)
  return hash.digest('hex')
}
