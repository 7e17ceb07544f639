// A program of the tests, bundled with its imports into one file: starting it takes a fifth of the work of its sources.
import { readFile, symlink } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { onceForRun } from './once-for-run.ts'
import { type Running, startProgram } from './system/process.ts'

const root = resolve(import.meta.dirname, '..')

/** A module finds the files beside it where its source is. */
const places: Plugin = {
  name: 'places',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/.*\.tsx?$/ }, async ({ path }) => {
      const place = JSON.stringify(pathToFileURL(path).href)
      const contents = (await readFile(path, 'utf8')).replaceAll('import.meta.url', place)
      return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' }
    })
  },
}

/** Starts `node` with the program at this path from the root. */
export async function startBuilt(path: string, args: readonly string[], env = process.env): Promise<Running> {
  const name = basename(path, '.ts')
  const folder = await onceForRun(name, (to) => bundle(path, to))
  return startProgram([process.execPath, join(folder, `${name}.js`), ...args], { env })
}

async function bundle(path: string, outdir: string): Promise<void> {
  await build({
    entryPoints: [join(root, path)],
    outdir,
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    // It loads its own files.
    external: ['@electric-sql/pglite', 'pg-native'],
    // Packages of the older kind ask for Node's own modules by it.
    banner: { js: "import{createRequire as requireFrom}from'node:module';const require=requireFrom(import.meta.url);" },
    plugins: [places],
    logLevel: 'error',
  })
  await symlink(join(root, 'node_modules'), join(outdir, 'node_modules'))
}
