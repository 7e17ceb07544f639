// The arrows of DESIGN §3: which room may import which. test/arrows.test.ts shows that a planted violation is found.
const swc = require('@swc/core')

// dependency-cruiser 17 has swc read every file as plain TypeScript, which stops at the first element of a page.
const { parseFileSync } = swc
swc.parseFileSync = (path, options) => parseFileSync(path, { ...options, tsx: path.endsWith('.tsx') })

const rooms = {
  api: { rooms: [], packages: ['zod'] },
  client: { rooms: ['api'], packages: ['zod'] },
  'embedded-postgres': { rooms: [], packages: ['@electric-sql/pglite'] },
  sandbox: { rooms: ['api', 'embedded-postgres'], packages: ['express', 'zod', 're2js'] },
  rules: {
    rooms: ['api'],
    packages: ['zod', 'yaml', 're2js', 'minimatch', 'markdown-it'],
    noBuiltins: true,
    // Loads its parser when it is used first.
    builtinsIn: '^src/rules/top-level-lines\\.ts$',
  },
  queue: { rooms: ['embedded-postgres'], packages: ['bullmq', 'ioredis', '@electric-sql/pglite', 'pg'] },
  journal: { rooms: ['queue', 'rules'], packages: ['ioredis'] },
  bot: { rooms: ['api', 'client', 'rules', 'queue', 'journal'], packages: ['express', 'pino'] },
  admin: { rooms: ['journal', 'queue', 'rules'], packages: ['express', 'pino', 'prom-client', 'zod', 'preact', 'preact-render-to-string'] },
}

const forbidden = [
  { name: 'no-circles', severity: 'error', comment: 'One-way imports: no file may lead back to itself.', from: {}, to: { circular: true } },
  {
    name: 'bullmq-in-queue-only',
    severity: 'error',
    comment: 'The queue is the only room that imports bullmq.',
    from: { pathNot: '^src/queue/' },
    to: { path: 'node_modules/bullmq' },
  },
  {
    name: 'express-in-receive-only',
    severity: 'error',
    comment: 'In bot, only receive imports express.',
    from: { path: '^src/bot/', pathNot: '^src/bot/receive' },
    to: { path: 'node_modules/express' },
  },
  { name: 'resolvable', severity: 'error', comment: 'Every import leads somewhere.', from: {}, to: { couldNotResolve: true } },
]
for (const [room, may] of Object.entries(rooms)) {
  const own = [room, ...may.rooms].join('|')
  forbidden.push({
    name: `${room}-imports-rooms`,
    severity: 'error',
    comment: `${room} may import ${may.rooms.join(', ') || 'none of ours'}.`,
    from: { path: `^src/${room}/` },
    to: { path: '^src/', pathNot: `^src/(${own})/` },
  })
  const packages = may.packages.map((name) => name.replace('/', '[/]')).join('|')
  forbidden.push({
    name: `${room}-imports-packages`,
    severity: 'error',
    comment: `${room} may import ${may.packages.join(', ')}.`,
    from: { path: `^src/${room}/` },
    to: { path: 'node_modules/', pathNot: `node_modules/(@types/)?(${packages})(/|$)` },
  })
  if (may.noBuiltins)
    forbidden.push({
      name: `${room}-is-pure`,
      severity: 'error',
      comment: `${room} does no I/O.`,
      from: { path: `^src/${room}/`, ...(may.builtinsIn === undefined ? {} : { pathNot: may.builtinsIn }) },
      to: { dependencyTypes: ['core'] },
    })
}

module.exports = {
  forbidden,
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
    },
    moduleSystems: ['es6', 'cjs'],
  },
}
