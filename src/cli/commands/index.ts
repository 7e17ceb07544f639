// The list of commands; a command's modules are loaded only when it runs.
import type { Command } from 'commander'

const abouts = {
  serve: 'run the bot: receive deliveries, evaluate rules, act',
  run: 'evaluate all that is open, act, and end: for scheduled pipelines, without a server',
  sandbox: 'run a development hosting service on real git repositories',
  demo: 'watch deliveries become labelled, approved and merged merge requests',
  check: 'check rule files; exit code 0 without problems, 1 with problems, 2 for wrong usage',
  explain: 'explain what the rules decide about a merge request, what blocks it and how to fix it; sends nothing',
  test: 'run rule tests (*.test.yml next to the rules) and report coverage',
  backtest: 'show what rules would have decided about past merge requests; sends nothing',
  deliveries: 'list, show and replay deliveries of a running bot',
  decisions: 'list, show and replay decisions of a running bot',
  queue: 'inspect, pause, resume, drain, retry, promote and discard jobs of a running bot',
  'merge-queue': 'show, pause, resume and change merge queues of a running bot; simulate one',
  freeze: 'let nothing merge in a project of a running bot for a while, or end that',
  insights: 'show how long merge requests took and for what they waited, by week, as a running bot stored it',
  sweep: 'make a running bot evaluate all open merge requests of a project or group',
  hooks: 'install, repair and check the web hooks of projects and groups',
  doctor: 'check token, clock, queue, rule files, roles and hooks, and say how to fix problems',
  token: 'rotate the service token, in its file',
  init: 'write a first rule file from flags or answers',
  import: 'write rules that do what policies of gitlab-triage or options of marge-bot do',
  openapi: 'print the hosting service’s API as an OpenAPI 3.1 document',
  schema: 'print the JSON Schema of rule files, for editors',
  completion: 'print a script by which bash or zsh completes commands and flags',
}
type Name = keyof typeof abouts

const loads: Record<Name, () => Promise<Command>> = {
  serve: async () => (await import('./serve.ts')).serve(),
  run: async () => (await import('./run.ts')).run(),
  sandbox: async () => (await import('./sandbox.ts')).sandbox(),
  demo: async () => (await import('./demo.ts')).demo(),
  check: async () => (await import('./check.ts')).check(),
  explain: async () => (await import('./explain.ts')).explain(),
  test: async () => (await import('./test.ts')).test(),
  backtest: async () => (await import('./backtest.ts')).backtest(),
  deliveries: async () => (await import('./deliveries.ts')).deliveries(),
  decisions: async () => (await import('./decisions.ts')).decisions(),
  queue: async () => (await import('./queue.ts')).queue(),
  'merge-queue': async () => (await import('./merge-queue.ts')).mergeQueue(),
  freeze: async () => (await import('./freeze.ts')).freeze(),
  insights: async () => (await import('./insights.ts')).insights(),
  sweep: async () => (await import('./sweep.ts')).sweep(),
  hooks: async () => (await import('./hooks.ts')).hooks(),
  doctor: async () => (await import('./doctor.ts')).doctor(),
  token: async () => (await import('./token.ts')).token(),
  init: async () => (await import('./init.ts')).init(),
  import: async () => (await import('./import.ts')).importFrom(),
  openapi: async () => (await import('./openapi.ts')).openapi(),
  schema: async () => (await import('./schema.ts')).schema(),
  completion: async () => (await import('./completion.ts')).completion(commands),
}

/** In the order of --help. */
export const commands = (Object.keys(abouts) as Name[]).map((name) => ({
  name,
  about: abouts[name],
  load: loads[name],
}))
