// The commands: what each is for, and where it is. A command's own modules are loaded only when it is run.
import type { Command } from 'commander'

export interface CommandEntry {
  name: string
  about: string
  load: () => Promise<Command>
}

export const commands: readonly CommandEntry[] = [
  { name: 'serve', about: 'run the bot: take deliveries, judge, act', load: async () => (await import('./serve.ts')).serve() },
  {
    name: 'sandbox',
    about: 'run a hosting service in one process, on real git repositories (a development tool)',
    load: async () => (await import('./sandbox.ts')).sandbox(),
  },
  {
    name: 'demo',
    about: 'watch deliveries become labelled, approved and merged merge requests',
    load: async () => (await import('./demo.ts')).demo(),
  },
  {
    name: 'check',
    about: 'check rule files: exit 0 when they are fine, 1 when there are problems, 2 for wrong usage',
    load: async () => (await import('./check.ts')).check(),
  },
  {
    name: 'explain',
    about: 'say what the rules decide about a merge request, what blocks each, and what would change that; sends nothing',
    load: async () => (await import('./explain.ts')).explain(),
  },
  {
    name: 'test',
    about: 'run rule tests (*.test.yml beside the rules), and say what of the rules they cover',
    load: async () => (await import('./test.ts')).test(),
  },
  {
    name: 'backtest',
    about: 'say what rules would have decided about past merge requests of a project; sends nothing',
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
    about: 'see, pause, resume, drain, retry, promote and discard the work of a running bot',
    load: async () => (await import('./queue.ts')).queue(),
  },
  {
    name: 'sweep',
    about: 'let a running bot judge all open merge requests of a project or group again',
    load: async () => (await import('./sweep.ts')).sweep(),
  },
  {
    name: 'hooks',
    about: 'make, mend and check the web hooks of projects and of whole groups',
    load: async () => (await import('./hooks.ts')).hooks(),
  },
  {
    name: 'doctor',
    about: 'look at token, clock, queue, rule files, roles and hooks, and say what to do about what is wrong',
    load: async () => (await import('./doctor.ts')).doctor(),
  },
  {
    name: 'init',
    about: 'write a first rule file, from flags or answers',
    load: async () => (await import('./init.ts')).init(),
  },
  {
    name: 'openapi',
    about: 'print the service’s API as an OpenAPI 3.1 document',
    load: async () => (await import('./openapi.ts')).openapi(),
  },
  {
    name: 'schema',
    about: 'print the JSON Schema of rule files, for editors',
    load: async () => (await import('./schema.ts')).schema(),
  },
]
