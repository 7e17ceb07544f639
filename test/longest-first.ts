// The order of the test files: those that open embedded databases come last, and of both kinds the longest begin first,
// so that no core is idle at the end while one long file is left.
import { resolve } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { reaches } from './tiers.ts'

/** The order follows what tests wait for and start: worlds, then processes and stores. File sizes tell little. */
const longest = [
  // A process for each kill.
  'test/system/merge-queue/restarts',
  'test/system/outages/outage-',
  'test/system/',
  'test/admin/pages/browser',
  'test/sandbox/http/hostile-requests',
  'test/queue/',
  'test/journal/',
  'test/cli/',
  'test/bot/',
  'test/sandbox/',
]

const preparing = new Set([resolve(import.meta.dirname, 'prepared-database.ts')])

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = longest.findIndex((part) => moduleId.includes(`/${part}`))
      return found === -1 ? longest.length : found
    }
    // To start git, its process is copied: one that opened a database stays large, and takes longer.
    const known = new Map<string, boolean>()
    const isEmbedded = ({ moduleId }: TestSpecification) =>
      Number(!/-(redis|postgres)\.test/.test(moduleId) && reaches(moduleId, preparing, known))
    // A worker is kept only for a next file of its own project: isolated files first, then those that share workers.
    const isShared = ({ project }: TestSpecification) => Number(!project.config.isolate)
    const byProject = (one: TestSpecification, other: TestSpecification) =>
      isShared(one) - isShared(other) || one.project.name.localeCompare(other.project.name)
    // Within one place as vitest has it: by how long they took last, or by size.
    return (await super.sort(files)).sort(
      (one, other) => byProject(one, other) || isEmbedded(one) - isEmbedded(other) || place(one) - place(other),
    )
  }
}
