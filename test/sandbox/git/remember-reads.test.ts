// Real git, whose processes are counted.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createGit, type Git } from '../../../src/sandbox/git/git.ts'
import { rememberReads } from '../../../src/sandbox/git/remember-reads.ts'

async function counted() {
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-reads-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const git = createGit()
  await git.run(folder, ['init', '--bare', folder])
  let processes = 0
  const run: Git['run'] = (...given) => {
    processes += 1
    return git.run(...given)
  }
  const hash = async (content: Buffer | string, ...more: string[]) =>
    (await git.text(folder, ['hash-object', ...more, '--stdin'], { input: content })).trim()
  const idOf = (content: string) => hash(content)
  const write = (content: Buffer | string) => hash(content, '-w')
  return { folder, idOf, write, read: rememberReads(run), processes: () => processes }
}

test('the same question is one process, another input is another question', async () => {
  const { folder, write, read, processes } = await counted()
  const [one, other] = [await write('one'), await write('other')]
  const ask = async (id: string) => (await read(folder, ['cat-file', '--batch'], `${id}\n`)).stdout.toString()
  expect([await ask(one), await ask(one), await ask(other), await ask(one)].map((said) => said.split('\n')[1])).toEqual([
    'one',
    'one',
    'other',
    'one',
  ])
  expect(processes()).toBe(2)
})

test('a failure is asked again: what is missing may come', async () => {
  const { folder, idOf, write, read, processes } = await counted()
  const question = ['cat-file', 'blob', await idOf('late')]
  expect((await read(folder, question)).code).not.toBe(0)
  await write('late')
  expect((await read(folder, question)).stdout.toString()).toBe('late')
  expect(processes()).toBe(2)
})

test('what is kept is bounded: the answer that was asked for longest ago goes first', async () => {
  const { folder, write, read, processes } = await counted()
  const ids = await Promise.all(Array.from({ length: 32 }, () => write(randomBytes(1_048_576))))
  const ask = (id: string | undefined) => read(folder, ['cat-file', 'blob', id ?? ''])
  const [first, second, ...rest] = ids
  await ask(first)
  await ask(second)
  await ask(first)
  for (const id of rest) await ask(id)
  const before = processes()
  await ask(first)
  await ask(ids.at(-1))
  expect(processes()).toBe(before)
  await ask(second)
  expect(processes()).toBe(before + 1)
})
