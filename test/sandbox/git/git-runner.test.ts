// The process that starts git: output, limits and ends.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { GitStartError, startGit } from '../../../src/sandbox/git/git-runner.ts'

const env = { PATH: process.env.PATH ?? '', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
const usual = { env, input: '', timeLimit: undefined, maxOutput: 1_000_000 }
/** git as a shell: its own parent is the process between. */
const shell = (script: string) => ['-c', `alias.script=!${script}`, 'script']

test('exit code, output in bytes, errors and input are those of git', async () => {
  const input = Buffer.from([0, 255, 10, 200])
  expect(await startGit({ ...usual, args: shell('cat; echo wrong >&2; exit 3'), input }).output).toEqual({
    code: 3,
    stdout: input,
    stderr: 'wrong\n',
  })
})

test('concurrent processes each get their own output', async () => {
  const numbers = Array.from({ length: 40 }, (_, n) => String(n))
  const said = await Promise.all(numbers.map((input) => startGit({ ...usual, args: shell('cat'), input }).output))
  expect(said.map(({ stdout }) => stdout.toString())).toEqual(numbers)
})

test('too much output, a time-out and an ended process give code -1', async () => {
  const endless = shell('yes')
  const ended = startGit({ ...usual, args: shell('sleep 600'), timeLimit: 600_000 })
  ended.end()
  const said = await Promise.all([
    startGit({ ...usual, args: ['help', '--all'], maxOutput: 100 }).output,
    startGit({ ...usual, args: endless, maxOutput: Number.MAX_SAFE_INTEGER, timeLimit: 100 }).output,
    ended.output,
  ])
  expect(said.map(({ code }) => code)).toEqual([-1, -1, -1])
})

test('too much output after the exit gives code -1', async () => {
  const { code } = await startGit({ ...usual, args: shell('(sleep 0.2; printf %0200d 0) & exit 0'), maxOutput: 100 })
    .output
  expect(code).toBe(-1)
})

test('a missing git is reported', async () => {
  await expect(startGit({ ...usual, env: { PATH: '/nowhere' }, args: ['version'] }).output).rejects.toBeInstanceOf(
    GitStartError,
  )
})

test('when the runner is killed, its requests fail and the next starts a new one', async () => {
  const killed = startGit({ ...usual, args: shell('kill -9 $(cut -d" " -f4 /proc/$PPID/stat)') })
  await expect(killed.output).rejects.toThrow('the process that starts git has ended')
  expect((await startGit({ ...usual, args: ['version'] }).output).stdout.toString()).toContain('git version')
})

test('the runner ends with the process that started it', async () => {
  const script = `
    import { startGit } from './src/sandbox/git/git-runner.ts'
    const args = ['-c', 'alias.parent=!cut -d" " -f4 /proc/$PPID/stat', 'parent']
    console.log(String((await startGit({ ...${JSON.stringify(usual)}, args }).output).stdout))`
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--import',
    'tsx',
    '--input-type=module',
    '-e',
    script,
  ])
  expect(Number(stdout)).toBeGreaterThan(0)
  await expect.poll(() => isThere(Number(stdout)), { timeout: 30_000 }).toBe(false)
})

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
