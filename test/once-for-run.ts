// What is costly to make is made once for a run of the tests, by the first test file that needs it.
import { existsSync } from 'node:fs'
import { mkdtemp, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'

const made = new Map<string, Promise<string>>()

/** The folder of that name, filled by `fill` unless another test file of this run has done so. */
export function onceForRun(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const known = made.get(name)
  if (known !== undefined) return known
  const making = make(join(inject('runFolder'), name), fill)
  made.set(name, making)
  return making
}

async function make(folder: string, fill: (folder: string) => Promise<void>): Promise<string> {
  if (existsSync(folder)) return folder
  const own = await mkdtemp(`${folder}-`)
  await fill(own)
  // Of two workers that begin at once, the first to be ready gives its own to both.
  await rename(own, folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  })
  return folder
}
