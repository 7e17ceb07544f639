// A folder for each run of the tests, in which its test files share what is costly to make.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    runFolder: string
  }
}

export default async function makeRunFolder(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-tests-'))
  project.provide('runFolder', folder)
  return () => rm(folder, { recursive: true, force: true })
}
