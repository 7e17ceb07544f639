// How the tests run: in parallel, in any order, with the environment of a fresh machine.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/fresh-machine.ts'],
    // A first start of the embedded queue takes 4-6 s (initdb) on an idle core; several test files start one at once.
    testTimeout: 60_000,
    hookTimeout: 90_000,
    reporters: ['default', './test/closing-line.ts'],
    sequence: { shuffle: true },
  },
})
