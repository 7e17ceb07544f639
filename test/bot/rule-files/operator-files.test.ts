// The operator's rules folder: rule files and the policy, read by name, and refused with every problem in it.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorFilesError, readOperatorFiles, readPolicyFile } from '../../../src/bot/rule-files/operator-files.ts'
import { ownFolder } from '../../cli/own-folder.ts'

const root = ownFolder().folder

const rules = (name: string) =>
  `version: 1\nrules:\n  - name: ${name}\n    if: { draft: false }\n    then: { approve: true }\n`
let lastFolder = 0

function folderOf(files: Record<string, string>): string {
  lastFolder += 1
  const folder = join(root, String(lastFolder))
  mkdirSync(folder)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

test('its *.yml and *.yaml are read by name; tests, other files and inner folders are not', async () => {
  const folder = folderOf({ 'b.yml': rules('b'), 'a.yaml': rules('a'), 'a.test.yml': 'odd', 'README.md': 'odd' })
  mkdirSync(join(folder, 'examples'))
  const files = await readOperatorFiles(folder)
  expect(files.map(({ path, trust, broken }) => [path, trust, broken])).toEqual([
    [join(folder, 'a.yaml'), 'operator', false],
    [join(folder, 'b.yml'), 'operator', false],
  ])
  expect(files.map((each) => each.rules.rules.map(({ name }) => name))).toEqual([['a'], ['b']])
})

test('a file is named as git names its content', async () => {
  const folder = folderOf({ 'a.yml': rules('é') })
  const [file] = await readOperatorFiles(folder)
  expect(file?.blob).toBe(
    execFileSync('git', ['hash-object', '--no-filters', join(folder, 'a.yml')], { encoding: 'utf8' }).trim(),
  )
})

test('a folder that is not there is no rules', async () => {
  expect(await readOperatorFiles(join(root, 'missing'))).toEqual([])
})

test('a folder that cannot be read is refused, never "no rules"', async () => {
  const folder = folderOf({ 'a.yml': rules('a') })
  await expect(readOperatorFiles(join(folder, 'a.yml'))).rejects.toThrow(OperatorFilesError)
})

test('the problems of all files are reported, each with file, line and column', async () => {
  const folder = folderOf({
    'a.yml': 'version: 1\nrules: 7\n',
    'b.yml': rules('good'),
    'c.yml': 'version: 2\nrules: []\n',
  })
  const refused = readOperatorFiles(folder)
  await expect(refused).rejects.toThrow(OperatorFilesError)
  await expect(refused).rejects.toThrow(/a\.yml:2:8: .*\n(.*\n)*.*c\.yml:1:10: /)
})

test('a name that ends like a rule file but is a folder is refused with its name', async () => {
  const folder = folderOf({})
  mkdirSync(join(folder, 'a.yml'))
  await expect(readOperatorFiles(folder)).rejects.toThrow(/a\.yml/)
})

const policy = 'policy: [{ mode: observe }]\n'

test.each(['policy.yml', 'policy.yaml'])('%s is the policy, and no rule file', async (name) => {
  const folder = folderOf({ [name]: policy })
  expect(await readPolicyFile(folder)).toEqual([{ mode: 'observe' }])
  expect(await readOperatorFiles(folder)).toEqual([])
})

test('without a policy file, or without a folder, there is no policy', async () => {
  expect(await readPolicyFile(folderOf({}))).toEqual([])
  expect(await readPolicyFile(join(root, 'missing'))).toEqual([])
})

test('a policy that is broken is refused with file, line and column', async () => {
  const refused = readPolicyFile(folderOf({ 'policy.yml': 'policy: [{ mode: observed }]' }))
  await expect(refused).rejects.toThrow(OperatorFilesError)
  await expect(refused).rejects.toThrow(/policy\.yml:1:18: .*did you mean "observe"/)
})

test('two policies, or one that cannot be read, are refused: a policy is never passed over', async () => {
  await expect(readPolicyFile(folderOf({ 'policy.yml': policy, 'policy.yaml': policy }))).rejects.toThrow(
    /keep one of them/,
  )
  const folder = folderOf({})
  mkdirSync(join(folder, 'policy.yml'))
  await expect(readPolicyFile(folder)).rejects.toThrow(/cannot be read/)
})
