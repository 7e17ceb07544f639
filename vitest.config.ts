// How the tests run: in parallel, in any order, with the environment of a fresh machine.
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import LongestFirst from './test/longest-first.ts'
import { hasPostgresServer } from './test/servers/postgres-server.ts'
import { hasRedisServer } from './test/servers/redis-server.ts'
import { unitTests } from './test/tiers.ts'

const unit = unitTests()

/** Of `test/system`, what `npm test` runs as well: the flow through the whole bot. */
const quickSystem = ['test/system/flow/flow.test.ts']

/** What only `npm run test:rest` runs: slow, or of what surrounds the code. */
const rest = [
  'test/{arrows,node-version}.test.ts',
  'test/{scripts,soak}/**/*.test.ts',
  'test/cli/{hooks,scenario,service}/*.test.ts',
  'test/cli/main.test.ts',
  'test/cli/admin/merge-queue-past.test.ts',
  'test/queue/{full-disk,persisted-jobs}.test.ts',
  // Bodies of 25 MB.
  'test/bot/webhook/receive-bodies.test.ts',
  'test/{bench,clients,deploy,docs}/**/*.test.ts',
  'test/system/**/*.test.ts',
  'test/admin/pages/{browser,phone-browser,merge-queues-browser,issues-browser}.test.ts',
  'test/bot/intake/recorded-payloads.test.ts',
  'test/cli/{process-list,start}.test.ts',
  'test/embedded-postgres/open-database.test.ts',
  // Processes that are killed, and every value of every parameter.
  'test/cli/commands/{sandbox,serve}.test.ts',
  'test/sandbox/storage/{persisted,reconcile}.test.ts',
  'test/sandbox/http/hostile-requests.test.ts',
  'test/admin/parameters.test.ts',
]

/** Whose tests leave something behind in their process, or must not find what others left: a process for each of their files. */
const isolated = ['test/{bench,deploy}/**/*.test.ts']

/** Tests that start a Redis or PostgreSQL of their own; the journal of a bot on Redis is in the PostgreSQL of the run. */
const servers = ['test/**/*{redis,postgres}*.test.ts']

/** What depends on the backend in what the flow promises; the project `flow` runs them on the embedded one. */
const onRedisToo = [
  'test/bot/webhook/receive-deliveries.test.ts',
  'test/bot/intake/{intake,duplicate-event,replay}.test.ts',
  'test/bot/sweep/sweep-jobs.test.ts',
  'test/bot/evaluation/{evaluate,evaluate-safety,paused-projects}.test.ts',
]

/** What the whole bot promises on a queue in PostgreSQL as well. Next to Redis the journal is in PostgreSQL too: only the queue differs. */
const onPostgresToo = [
  'test/system/flow/flow-redis.test.ts',
  'test/system/crashes/{killed,shutdown,parts-processes}-redis.test.ts',
  'test/system/merge-queue/{restarts,landings}-redis.test.ts',
  'test/system/merge-safety/merge-safety-redis.test.ts',
  'test/system/outages/outage-redis.test.ts',
]

const common = {
  globals: true,
  setupFiles: ['test/fresh-machine.ts'],
  // No test measures time. On a busy machine, a file that waits for git and for databases may wait long.
  testTimeout: 400_000,
  hookTimeout: 400_000,
  expect: { poll: { timeout: 150_000 } },
  sequence: { shuffle: true },
  // The quick compiler for WebAssembly alone: the thorough one works longer on PGlite than its code then saves.
  // And little room for garbage: to start git, its process is copied, which takes the longer the larger it is.
  execArgv: ['--max-semi-space-size=8', '--liftoff-only'],
}

/** A server for the databases of the test files. */
const withPostgres = { globalSetup: ['test/servers/postgres-for-run.ts'] }

export default defineConfig({
  test: {
    globalSetup: ['test/run-folder.ts'],
    reporters: ['default', './test/closing-line.ts'],
    // More than there are cores: much of a test is waiting for git, the disk and the network.
    maxWorkers: availableParallelism() * 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      // Files that share what is loaded and warm take less than half the time.
      {
        test: {
          ...{ ...common, name: 'unit', include: unit, isolate: false },
          // With room for garbage, a tenth less of the work is collecting.
          execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'],
        },
      },
      {
        test: {
          ...common,
          name: 'flow',
          include: ['test/!(system)/**/*.test.ts', 'test/*.test.ts', ...quickSystem],
          exclude: [...unit, ...rest.filter((path) => !path.startsWith('test/system')), ...servers],
          isolate: false,
        },
      },
      {
        test: {
          ...{ ...common, ...withPostgres, name: 'rest', isolate: false },
          include: [...rest, ...servers],
          exclude: [...unit, ...isolated, ...quickSystem],
        },
      },
      { test: { ...common, name: 'isolated', include: isolated, exclude: unit } },
      ...(hasRedisServer() && hasPostgresServer()
        ? [
            {
              test: {
                ...{ ...common, ...withPostgres, name: 'flow on redis', isolate: false },
                include: onRedisToo,
                provide: { queueOf: 'redis' as const },
              },
            },
            {
              test: {
                ...{ ...common, ...withPostgres, name: 'on postgres', isolate: false },
                include: [...onRedisToo, ...onPostgresToo],
                provide: { queueOf: 'postgres' as const },
              },
            },
          ]
        : []),
    ],
  },
})
