// The command, built from the present source: starting it takes a third of the work of running the source.
import { execFile } from 'node:child_process'
import { cp, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { onceForRun } from './once-for-run.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '..')

/** What `node` runs as `bellhop`. */
export async function builtCommand(): Promise<string> {
  return join(await onceForRun('command', build), 'bin', 'bellhop.cjs')
}

/** Types are checked by `npm run check`; dist/ is left alone, for it may be in use. */
async function build(folder: string): Promise<void> {
  const settings = [
    '--project',
    'tsconfig.build.json',
    '--outDir',
    join(folder, 'dist'),
    '--incremental',
    'false',
    '--tsBuildInfoFile',
    'null',
  ]
  await run(join(root, 'node_modules', '.bin', 'tsc'), [...settings, '--noCheck'], { cwd: root })
  for (const name of ['bin', 'scenarios']) await cp(join(root, name), join(folder, name), { recursive: true })
  await cp(join(root, 'package.json'), join(folder, 'package.json'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await run(process.execPath, ['--import', 'tsx', join(root, 'scripts/bundle.ts'), join(folder, 'dist')], { cwd: root })
}
