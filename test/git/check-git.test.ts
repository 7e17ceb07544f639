// Which git is new enough.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkGit, GitMissing } from '../../src/git/start-git.ts'
import { ownFolder } from '../cli/own-folder.ts'

test.each([
  ['2.37.9', false],
  ['1.99.0', false],
  ['2.38.0', true],
  ['3.0', true],
])('git %s is new enough: %s', async (version, expected) => {
  const bin = ownFolder().folder
  await writeFile(join(bin, 'git'), `#!/bin/sh\necho "git version ${version}"\n`, { mode: 0o755 })
  const found = checkGit(bin)
  if (expected) expect(await found).toBe(version)
  else await expect(found).rejects.toThrow(`git 2.38 or newer is needed: found ${version}`)
})

test('a machine without git gets an error that says what is missing', async () => {
  await expect(checkGit('/nonexistent')).rejects.toThrow(GitMissing)
})
