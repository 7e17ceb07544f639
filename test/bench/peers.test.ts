// Benches measure beside what others wrote, where it can be installed.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withPeers } from '../../bench/peers.ts'
import { ownFolder } from '../cli/own-folder.ts'

let folder: string
const said: string[] = []
const measured = (at: string) =>
  withPeers(
    (sentence) => said.push(sentence),
    async () => ['a figure'],
    at,
  )

beforeEach(() => {
  said.length = 0
  folder = ownFolder().folder
})

test('peers that cannot be installed are left out, and the reason is printed', async () => {
  expect(await measured(folder)).toEqual([])
  expect(said).toEqual([expect.stringContaining(folder), expect.stringMatching(/left out.*package-lock/s)])
})

test('peers that are installed are measured without a word', async () => {
  mkdirSync(join(folder, 'node_modules'))
  writeFileSync(join(folder, 'node_modules', '.package-lock.json'), '{}')
  expect(await measured(folder)).toEqual(['a figure'])
  expect(said).toEqual([])
})
