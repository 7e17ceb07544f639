// The commands of CONTRIBUTING.md that write files, run on a copy of the project.
import { appendFileSync, cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownFolder } from '../cli/own-folder.ts'
import { npmEnvironment } from '../deploy/build-stage.ts'
import { root, runProgram } from '../system/process.ts'

const copied = ['src', 'scripts', 'docs', 'rules', 'package.json', 'biome.json', 'tsconfig.json']
const { folder } = ownFolder()
beforeAll(() => {
  for (const each of copied) cpSync(join(root, each), join(folder, each), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
})

const run = (command: string) =>
  runProgram(command.split(' '), { cwd: folder, env: { ...process.env, ...npmEnvironment } })

test('npm run generate and npm run fix repair generated and unformatted files', async () => {
  const [registry, formatted] = ['src/rules/actions/index.ts', 'src/rules/types.ts']
  const paths = [registry, 'docs/configuration.md', 'docs/metrics.md', 'docs/rules.md', 'rules/bellhop.schema.json']
  for (const path of paths) writeFileSync(join(folder, path), '')
  appendFileSync(join(folder, formatted), '\n\n;\n')
  expect(await run('npm run generate')).toMatchObject({ code: 0, stderr: '' })
  expect(await run('npm run fix')).toMatchObject({ code: 0 })
  for (const path of [...paths, formatted])
    expect(readFileSync(join(folder, path), 'utf8'), path).toBe(readFileSync(join(root, path), 'utf8'))
  // Both commands read the whole repository.
})
