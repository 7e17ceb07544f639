// The arrows of DESIGN §3: which module and which sub-folder may import which. test/arrows.test.ts shows that a planted violation is found.
const swc = require('@swc/core')

// dependency-cruiser 17 has swc read every file as plain TypeScript, which stops at the first element of a page.
const { parseFileSync } = swc
swc.parseFileSync = (path, options) => parseFileSync(path, { ...options, tsx: path.endsWith('.tsx') })

const modules = {
  api: { modules: [], packages: ['zod'] },
  tracing: { modules: [], packages: ['@opentelemetry/api'], noBuiltins: true },
  client: { modules: ['api', 'tracing'], packages: ['zod', 'lru-cache'] },
  'embedded-postgres': { modules: [], packages: ['@electric-sql/pglite'] },
  git: { modules: [], packages: [] },
  sandbox: { modules: ['api', 'embedded-postgres', 'git'], packages: ['express', 'zod', 're2js'] },
  rules: {
    modules: ['api', 'merge-queue'],
    packages: ['zod', 'yaml', 're2js', 'minimatch', 'markdown-it', 'lru-cache'],
    noBuiltins: true,
    // Loads its parser when it is used first.
    builtinsIn: '^src/rules/language/commands/comment-commands\\.ts$',
  },
  'merge-queue': { modules: [], packages: [], noBuiltins: true },
  queue: {
    modules: ['embedded-postgres'],
    packages: ['@opentelemetry/api', 'async-mutex', 'bullmq', 'ioredis', 'lru-cache', '@electric-sql/pglite', 'pg'],
  },
  journal: { modules: ['embedded-postgres', 'queue', 'rules', 'merge-queue'], packages: [] },
  bot: {
    modules: ['api', 'client', 'git', 'rules', 'merge-queue', 'queue', 'journal', 'tracing'],
    packages: ['async-mutex', 'express', 'lru-cache', 'p-limit', 'pino'],
  },
  admin: {
    modules: ['journal', 'queue', 'rules', 'merge-queue'],
    packages: ['express', 'lru-cache', 'p-limit', 'pino', 'prom-client', 'zod', 'preact', 'preact-render-to-string'],
  },
}

/**
 * The sub-folders of a module, lowest first: a folder imports from its own files, from those before it, and from files at the module's root that
 * are no entry. Folders on one line may import each other's files. `entries` put the module together: no sub-folder imports them.
 */
const layers = {
  rules: {
    layers: [
      'language/values',
      'language/patterns',
      'code-owners',
      'language/operators language/yaml language/commands facts/definition',
      'facts',
      'facts/reading',
      'language',
      'actions/definition',
      'actions/reviewers',
      'actions',
      'language/documents language/schema',
      'engine/memory',
      'engine/conditions',
      'engine/limits',
      'explain',
      'engine',
      'testing lint backtest',
    ],
    entries: [],
  },
  queue: { layers: ['bullmq', 'redis postgres'], entries: ['open-queue'] },
  'merge-queue': { layers: ['simulator'], entries: [] },
  journal: {
    layers: ['database', 'tables'],
    entries: ['journal', 'open-journal', 'retention'],
  },
  bot: {
    layers: [
      'service reporting',
      'notifications',
      'rule-files dependencies',
      'evaluation',
      'backtest',
      'rule-changes',
      'merge-queue/git',
      'merge-queue',
      'intake/events',
      'intake',
      'webhook',
      'sweep',
    ],
    entries: ['bot', 'bot-options', 'receiver', 'workers', 'housekeeping'],
  },
  admin: {
    layers: [
      'access',
      'api',
      'api/routes',
      'metrics pages/session',
      'pages/parts',
      'pages/forms',
      'pages/lists',
      'pages/decisions pages/definition',
      'pages/operations',
      'pages',
      'pages/server',
    ],
    entries: ['admin-api'],
  },
  cli: {
    layers: [
      'output settings',
      'service chats',
      'admin',
      'explain',
      'hooks',
      'backtest check doctor init rule-tests scenario server',
      'demo import run',
      'commands',
    ],
    entries: ['main'],
  },
}

const forbidden = [
  {
    name: 'no-circles',
    severity: 'error',
    comment: 'One-way imports: no file may lead back to itself.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'bullmq-in-queue-only',
    severity: 'error',
    comment: 'Only the queue imports bullmq.',
    from: { pathNot: '^src/queue/' },
    to: { path: 'node_modules/bullmq' },
  },
  {
    name: 'resolvable',
    severity: 'error',
    comment: 'Every import leads somewhere.',
    from: {},
    to: { couldNotResolve: true },
  },
]
for (const [module, may] of Object.entries(modules)) {
  const own = [module, ...may.modules].join('|')
  forbidden.push({
    name: `${module}-imports-modules`,
    severity: 'error',
    comment: `${module} may import ${may.modules.join(', ') || 'none of ours'}.`,
    from: { path: `^src/${module}/` },
    to: { path: '^src/', pathNot: `^src/(${own})/` },
  })
  const packages = may.packages.map((name) => name.replace('/', '[/]')).join('|')
  forbidden.push({
    name: `${module}-imports-packages`,
    severity: 'error',
    comment: `${module} may import ${may.packages.join(', ')}.`,
    from: { path: `^src/${module}/` },
    to: { path: 'node_modules/', pathNot: `node_modules/(@types/)?(${packages})(/|$)` },
  })
  if (may.noBuiltins)
    forbidden.push({
      name: `${module}-is-pure`,
      severity: 'error',
      comment: `${module} does no I/O.`,
      from: { path: `^src/${module}/`, ...(may.builtinsIn === undefined ? {} : { pathNot: may.builtinsIn }) },
      to: { dependencyTypes: ['core'] },
    })
}

for (const [module, { layers: folders, entries }] of Object.entries(layers)) {
  const lower = []
  const known = folders.join(' ').split(' ').join('|')
  forbidden.push({
    name: `${module}-folders-known`,
    severity: 'error',
    comment: `Every sub-folder of ${module} has its place among the layers.`,
    from: { path: `^src/${module}/`, pathNot: `^src/${module}/((${known})/)?[^/]+$` },
    to: {},
  })
  for (const line of folders) {
    const own = line.split(' ')
    lower.push(...own)
    const allowed = lower.map((folder) => `${folder}/[^/]+`).join('|')
    const root = entries.length === 0 ? '[^/]+' : `(?!(?:${entries.join('|')})\\.ts)[^/]+`
    forbidden.push({
      name: `${module}-folders`,
      severity: 'error',
      comment: `A sub-folder of ${module} imports itself and what is below it.`,
      from: { path: `^src/${module}/(${own.join('|')})/[^/]+$` },
      to: { path: `^src/${module}/`, pathNot: `^src/${module}/(${allowed}|${root})$` },
    })
  }
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
