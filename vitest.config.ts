// How the tests run: in parallel, in any order, with the environment of a fresh machine.
import { defineConfig } from 'vitest/config'
import LongestFirst from './test/longest-first.ts'
import { hasRedisServer } from './test/redis-server.ts'

/** Rooms whose tests leave nothing behind in their process: their files share what is loaded and warm, which takes less than half the time. */
const together = ['admin', 'api', 'bot', 'cli', 'client', 'docs', 'rules', 'sandbox', 'soak'].map((room) => `test/${room}/**/*.test.ts`)

/** What the flow promises on either queue; the embedded one is that of the other projects. */
const onRedisToo = [
  'test/bot/receive-{taken,doubled,projects}.test.ts',
  'test/bot/intake-{mailboxes,branches,rules,secrets}.test.ts',
  'test/bot/same-event.test.ts',
  'test/bot/sweep-{jobs,changes}.test.ts',
  'test/bot/evaluate.test.ts',
]

const common = {
  setupFiles: ['test/fresh-machine.ts'],
  // Where many test files wait for git and for databases at once, one of them may wait long.
  testTimeout: 60_000,
  hookTimeout: 90_000,
  sequence: { shuffle: true },
}

export default defineConfig({
  test: {
    globalSetup: ['test/run-folder.ts'],
    reporters: ['default', './test/closing-line.ts'],
    // A worker for each core: much of a test is waiting for git, the disk and the network.
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { ...common, name: 'apart', include: ['test/**/*.test.ts'], exclude: together } },
      { test: { ...common, name: 'together', include: together, isolate: false } },
      ...(hasRedisServer()
        ? [{ test: { ...common, name: 'on Redis', include: onRedisToo, isolate: false, provide: { storesOf: 'redis' as const } } }]
        : []),
    ],
  },
})
