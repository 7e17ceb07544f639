// Bundles tsc's output into a few files beside it: `node --import tsx scripts/bundle.ts [FOLDER]`, by default dist.
// `bellhop` starts from there.
import { cp, readdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { build, type Plugin } from 'esbuild'

const root = resolve(import.meta.dirname, '..')
const built = await realpath(process.argv[2] ?? join(root, 'dist'))
const folder = join(built, 'bundle')

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
  // An installation has them in node_modules (docs/decisions.md, Build).
  external: Object.keys(dependencies),
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

const packages = [
  ...new Set(
    Object.values(metafile.outputs)
      .flatMap(({ inputs }) => Object.keys(inputs))
      .flatMap((path) => /node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
  ),
].sort()

interface Locked {
  version: string
  license: string
  integrity: string
}
const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
  version: string
  packages: Record<string, Locked>
}
await writeFile(join(folder, 'LICENCES.txt'), (await Promise.all(packages.map(licenceOf))).join('\n\n'))

/** For scanners: they read node_modules, where these packages are not. `npm sbom` cannot tell which are bundled. */
const billOfMaterials = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: { component: { type: 'application', name: 'bellhop', version: lock.version } },
  components: packages.map((path) => {
    const name = nameAt(path)
    const { version, license, integrity } = lock.packages[path] as Locked
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
    const content = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')
    return {
      type: 'library',
      'bom-ref': purl,
      name,
      version,
      purl,
      licenses: [{ expression: license }],
      hashes: [{ alg: 'SHA-512', content }],
    }
  }),
}
await writeFile(join(folder, 'bellhop.cdx.json'), JSON.stringify(billOfMaterials, undefined, 1))

function nameAt(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

/** Name, version and the words that a copy must carry: a file of their own, or the readme's last part. */
async function licenceOf(path: string): Promise<string> {
  const files = await readdir(join(root, path))
  const file = files.find((each) => /^licen[cs]e/i.test(each)) ?? 'README.md'
  const text = await readFile(join(root, path, file), 'utf8')
  const words = file === 'README.md' ? /^## licen[cs]e$(.*)/ims.exec(text)?.[1] : text
  if (words === undefined) throw new Error(`${path} has no licence`)
  return `${nameAt(path)} ${lock.packages[path]?.version}\n\n${words.trim()}\n`
}
