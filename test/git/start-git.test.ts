// What git writes, and how it ends.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkGit, GitMissing, runGit, startGit } from '../../src/git/start-git.ts'
import { ownFolder } from '../cli/own-folder.ts'

const env = { PATH: process.env.PATH ?? '', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
const usual = { env, mostOutput: 1_000_000 }
/** git as a shell. */
const shell = (script: string) => ['-c', `alias.script=!${script}`, 'script']

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('exit code, output in bytes, errors and input are those of git', async () => {
  const input = Buffer.from([0, 255, 10, 200])
  expect(await runGit({ ...usual, args: shell('cat; echo wrong >&2; exit 3'), input }).output).toEqual({
    ...{ code: 3, stdout: input, stderr: 'wrong\n' },
    ...{ isTimedOut: false, isTooLong: false },
  })
})

test('too much output, a time-out and an end give code -1', async () => {
  const ended = runGit({ ...usual, args: shell('sleep 600'), timeoutMs: 600_000 })
  ended.end()
  const outputs = await Promise.all([
    runGit({ ...usual, args: shell('yes'), mostOutput: 100 }).output,
    runGit({ ...usual, args: shell('yes'), mostOutput: Number.MAX_SAFE_INTEGER, timeoutMs: 100 }).output,
    ended.output,
  ])
  expect(outputs.map(({ code, isTooLong, isTimedOut }) => [code, isTooLong, isTimedOut])).toEqual([
    [-1, true, false],
    [-1, false, true],
    [-1, false, false],
  ])
})

test('too much output after the exit gives code -1', async () => {
  const args = shell('(sleep 0.2; printf %0200d 0) & exit 0')
  expect(await runGit({ ...usual, args, mostOutput: 100 }).output).toMatchObject({ code: -1, isTooLong: true })
})

test('input that git does not read is no error', async () => {
  const { code } = await runGit({ ...usual, args: ['version'], input: 'x'.repeat(5_000_000) }).output
  expect(code).toBe(0)
})

test('one that ignores SIGTERM is killed, with what it started', async () => {
  const { child, end } = startGit(shell('trap "" TERM; sh -c "trap \\"\\" TERM; sleep 600" & echo $!; wait'), env)
  const pid = await new Promise<number>((resolve) => child.stdout?.once('data', (said) => resolve(Number(said))))
  end()
  await new Promise((resolve) => child.once('close', resolve))
  await expect.poll(() => isThere(pid)).toBe(false)
})

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
