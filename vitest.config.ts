// How the tests run: in parallel, in any order, with the environment of a fresh machine.
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import LongestFirst from './test/longest-first.ts'
import { hasRedisServer } from './test/redis-server.ts'

/** Rooms whose tests leave something behind in their process, or must not find what others left: a process for each of their files. */
const apart = ['bench', 'deploy'].map((room) => `test/${room}/**/*.test.ts`)

/** What the flow promises on either queue; the embedded one is that of the other projects. */
const onRedisToo = [
  'test/bot/receive-{taken,doubled,projects}.test.ts',
  'test/bot/intake-{mailboxes,branches,rules,secrets}.test.ts',
  'test/bot/same-event.test.ts',
  'test/bot/sweep-{jobs,changes}.test.ts',
  'test/bot/{read-repository-rules,rule-forms,rule-files-shared}.test.ts',
  'test/bot/evaluate{,-safety}.test.ts',
  'test/bot/{paused-projects,replay}.test.ts',
]

const common = {
  setupFiles: ['test/fresh-machine.ts'],
  // Where many test files wait for git and for databases at once, one of them may wait long.
  testTimeout: 60_000,
  hookTimeout: 90_000,
  sequence: { shuffle: true },
  // What a test makes is garbage soon: with room for it, a tenth less of the work is collecting.
  execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'],
}

export default defineConfig({
  test: {
    globalSetup: ['test/run-folder.ts'],
    reporters: ['default', './test/closing-line.ts'],
    // More than there are cores: much of a test is waiting for git, the disk and the network.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { ...common, name: 'apart', include: apart } },
      // Files that share what is loaded and warm take less than half the time.
      { test: { ...common, name: 'together', include: ['test/**/*.test.ts'], exclude: apart, isolate: false } },
      ...(hasRedisServer()
        ? [{ test: { ...common, name: 'on Redis', include: onRedisToo, isolate: false, provide: { storesOf: 'redis' as const } } }]
        : []),
    ],
  },
})
