// Which git is new enough.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkGit, GitMissing } from '../../src/git/start-git.ts'

test.each([
  ['2.37.9', false],
  ['1.99.0', false],
  ['2.38.0', true],
  ['3.0', true],
])('git %s is new enough: %s', async (version, expected) => {
  const bin = await mkdtemp(join(tmpdir(), 'git-version-'))
  onTestFinished(() => rm(bin, { recursive: true }))
  await writeFile(join(bin, 'git'), `#!/bin/sh\necho "git version ${version}"\n`, { mode: 0o755 })
  const found = checkGit(bin)
  if (expected) expect(await found).toBe(version)
  else await expect(found).rejects.toThrow(`git 2.38 or newer is needed: found ${version}`)
})

test('a machine without git gets an error that says what is missing', async () => {
  await expect(checkGit('/nonexistent')).rejects.toThrow(GitMissing)
})
