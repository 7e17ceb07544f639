// The operator's policy file: read from the rules folder, refused as a whole where it is broken.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { OperatorFilesError, readOperatorFiles, readPolicyFile } from '../../../src/bot/rule-files/operator-files.ts'

const root = mkdtempSync(join(tmpdir(), 'bellhop-policy-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let last = 0
function folderOf(files: Record<string, string>): string {
  last += 1
  const folder = join(root, String(last))
  mkdirSync(folder)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}
const policy = 'policy: [{ mode: observe }]\n'

test.each(['policy.yml', 'policy.yaml'])('%s is the policy, and no rule file', async (name) => {
  const folder = folderOf({ [name]: policy })
  expect(await readPolicyFile(folder)).toEqual([{ mode: 'observe' }])
  expect(await readOperatorFiles(folder)).toEqual([])
})

test('without one, or without a folder, there is no policy', async () => {
  expect(await readPolicyFile(folderOf({}))).toEqual([])
  expect(await readPolicyFile(join(root, 'missing'))).toEqual([])
})

test('one that is broken is refused with file, line and column', async () => {
  const refused = readPolicyFile(folderOf({ 'policy.yml': 'policy: [{ mode: observed }]' }))
  await expect(refused).rejects.toThrow(OperatorFilesError)
  await expect(refused).rejects.toThrow(/policy\.yml:1:18: .*did you mean "observe"/)
})

test('two of them, or one that cannot be read, are refused: a policy is never passed over', async () => {
  await expect(readPolicyFile(folderOf({ 'policy.yml': policy, 'policy.yaml': policy }))).rejects.toThrow(
    /keep one of them/,
  )
  const folder = folderOf({})
  mkdirSync(join(folder, 'policy.yml'))
  await expect(readPolicyFile(folder)).rejects.toThrow(/cannot be read/)
})
