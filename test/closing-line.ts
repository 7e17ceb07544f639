// Prints a plain closing line, "tests: N passed, N failed, N skipped", for people and machines that read only the end.
import type { Reporter, TestModule } from 'vitest/node'

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const count = { passed: 0, failed: 0, skipped: 0 }
    for (const module of modules) {
      if (module.errors().length > 0) count.failed += 1
      for (const test of module.children.allTests()) {
        const state = test.result().state
        if (state === 'passed' || state === 'failed' || state === 'skipped') count[state] += 1
      }
    }
    process.stdout.write(`\ntests: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`)
  }
}
