// Bundles tsc's output into a few files beside it: `node --import tsx scripts/bundle.ts [FOLDER]`, by default dist.
// `bellhop` starts from there.
import { cp, readdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { build, type Plugin } from 'esbuild'

const root = resolve(import.meta.dirname, '..')
const built = await realpath(process.argv[2] ?? join(root, 'dist'))
const folder = join(built, 'bundle')

/** These start faster bundled (docs/decisions/0012-build-and-upgrade.md); commands load others from node_modules. */
const inside = [
  ...['async-mutex', 'commander', 'lru-cache', 'minimatch', 'p-limit', 'picocolors', 're2js', 'yaml', 'zod'],
  ...['bullmq', 'cli-table3', 'ioredis', 'pino', 'preact', 'preact-render-to-string', 'prom-client'],
]

const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>
}

/** What modules read from beside them: pages, SQL. */
await cp(join(root, 'src'), built, { recursive: true, filter: (path) => !/\.tsx?$/.test(path) })

/** A module finds the files beside it from where tsc put it. */
const places: Plugin = {
  name: 'places',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, async ({ path }) => {
      if (!path.startsWith(built)) return undefined
      const place = `new URL(${JSON.stringify(relative(folder, path))}, import.meta.url).href`
      return { contents: (await readFile(path, 'utf8')).replaceAll('import.meta.url', place) }
    })
  },
}

/** Commander loads it for commands that are programs of their own. There are none; loading is 5% of `--help`. */
const childProcessWhenUsed: Plugin = {
  name: 'child-process-when-used',
  setup({ onResolve, onLoad }) {
    const namespace = 'when-used'
    onResolve({ filter: /^node:child_process$/ }, ({ path, importer }) =>
      importer.includes('/node_modules/commander/') ? { path, namespace } : undefined,
    )
    onLoad({ filter: /.*/, namespace }, ({ path }) => ({
      contents: `module.exports = { get spawn() { return require(${JSON.stringify(path)}).spawn } }`,
    }))
  },
}

const { metafile } = await build({
  entryPoints: [join(built, 'cli/main.js')],
  outdir: folder,
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  // ES modules where a package has both: of OpenTelemetry's, only a quarter is used.
  mainFields: ['module', 'main'],
  external: Object.keys(dependencies).filter((name) => !inside.includes(name)),
  // The same code as ES modules, for browsers: Node's is CommonJS, where each module starts in its own function.
  alias: { yaml: join(root, 'node_modules/yaml/browser/dist/index.js') },
  // Names stay, for stacks.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  // Packages of the older kind ask for Node's own modules by it.
  banner: { js: "import{createRequire as requireFrom}from'node:module';const require=requireFrom(import.meta.url);" },
  metafile: true,
  plugins: [places, childProcessWhenUsed],
  logLevel: 'warning',
})

const packages = new Set(
  Object.keys(metafile.inputs).flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
)
const licences = await Promise.all([...packages].sort().map((path) => licenceOf(resolve(root, path))))
await writeFile(join(folder, 'LICENCES.txt'), licences.join('\n\n'))

/** Name, version and the words that a copy must carry. */
async function licenceOf(path: string): Promise<string> {
  const { name, version } = JSON.parse(await readFile(join(path, 'package.json'), 'utf8')) as {
    name: string
    version: string
  }
  const file = (await readdir(path)).find((each) => /^licen[cs]e/i.test(each))
  if (file === undefined) throw new Error(`${path} has no licence`)
  return `${name} ${version}\n\n${(await readFile(join(path, file), 'utf8')).trim()}\n`
}
