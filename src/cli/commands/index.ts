// The list of commands; a command's modules are loaded only when it runs.
import type { Command } from 'commander'

export const commands: readonly { name: string; about: string; load: () => Promise<Command> }[] = [
  {
    name: 'serve',
    about: 'run the bot: receive deliveries, evaluate rules, act',
    load: async () => (await import('./serve.ts')).serve(),
  },
  {
    name: 'sandbox',
    about: 'run a development hosting service on real git repositories',
    load: async () => (await import('./sandbox.ts')).sandbox(),
  },
  {
    name: 'demo',
    about: 'watch deliveries become labelled, approved and merged merge requests',
    load: async () => (await import('./demo.ts')).demo(),
  },
  {
    name: 'check',
    about: 'check rule files; exit code 0 without problems, 1 with problems, 2 for wrong usage',
    load: async () => (await import('./check.ts')).check(),
  },
  {
    name: 'explain',
    about: 'explain what the rules decide about a merge request, what blocks it and how to fix it; sends nothing',
    load: async () => (await import('./explain.ts')).explain(),
  },
  {
    name: 'test',
    about: 'run rule tests (*.test.yml next to the rules) and report coverage',
    load: async () => (await import('./test.ts')).test(),
  },
  {
    name: 'backtest',
    about: 'show what rules would have decided about past merge requests; sends nothing',
    load: async () => (await import('./backtest.ts')).backtest(),
  },
  {
    name: 'deliveries',
    about: 'list, show and replay deliveries of a running bot',
    load: async () => (await import('./deliveries.ts')).deliveries(),
  },
  {
    name: 'decisions',
    about: 'list, show and replay decisions of a running bot',
    load: async () => (await import('./decisions.ts')).decisions(),
  },
  {
    name: 'queue',
    about: 'inspect, pause, resume, drain, retry, promote and discard jobs of a running bot',
    load: async () => (await import('./queue.ts')).queue(),
  },
  {
    name: 'merge-queue',
    about: 'show, pause, resume and change merge queues of a running bot; simulate one',
    load: async () => (await import('./merge-queue.ts')).mergeQueue(),
  },
  {
    name: 'insights',
    about: 'show how long merge requests took and for what they waited, by week, as a running bot stored it',
    load: async () => (await import('./insights.ts')).insights(),
  },
  {
    name: 'sweep',
    about: 'make a running bot evaluate all open merge requests of a project or group',
    load: async () => (await import('./sweep.ts')).sweep(),
  },
  {
    name: 'hooks',
    about: 'install, repair and check the web hooks of projects and groups',
    load: async () => (await import('./hooks.ts')).hooks(),
  },
  {
    name: 'doctor',
    about: 'check token, clock, queue, rule files, roles and hooks, and say how to fix problems',
    load: async () => (await import('./doctor.ts')).doctor(),
  },
  {
    name: 'token',
    about: 'rotate the service token, in its file',
    load: async () => (await import('./token.ts')).token(),
  },
  {
    name: 'init',
    about: 'write a first rule file from flags or answers',
    load: async () => (await import('./init.ts')).init(),
  },
  {
    name: 'openapi',
    about: 'print the hosting service’s API as an OpenAPI 3.1 document',
    load: async () => (await import('./openapi.ts')).openapi(),
  },
  {
    name: 'schema',
    about: 'print the JSON Schema of rule files, for editors',
    load: async () => (await import('./schema.ts')).schema(),
  },
]
