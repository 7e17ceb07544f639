// What is costly to make is made once for a run of the tests, by the first test file that needs it.
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
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
  const unfinished = `${folder}-unfinished`
  for (;;) {
    if (existsSync(folder)) return folder
    // Creating the folder is the lock: the other workers wait until it is done, or try again where it failed.
    const isFirst = await mkdir(unfinished).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
        return false
      },
    )
    if (isFirst) break
    await pause(50)
  }
  try {
    if (!existsSync(folder)) {
      await fill(unfinished)
      await rename(unfinished, folder)
    }
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
  return folder
}
