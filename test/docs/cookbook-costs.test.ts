// The reads that the cookbook counts are those of the bot, on merge requests of a sandbox with every call recorded.
import { fileURLToPath } from 'node:url'
import { costsOf } from '../../scripts/cookbook.ts'
import { explainNow } from '../../src/cli/explain/explain-now.ts'
import { rulesFromFiles } from '../../src/cli/explain/rules-for.ts'
import { connect, projectNamed } from '../../src/cli/service/connect.ts'
import { sourceNamed } from '../../src/rules/facts/definition/sources.ts'
import { readOverrides } from '../../src/rules/testing/overrides.ts'
import { type ScenarioService, startScenario } from '../cli/scenario-service.ts'

const scenario = `version: 1
users: [{ username: alice }, { username: carol }, { username: sam }, { username: wendy }, { username: bellhop, bot: true }]
groups:
  - { path: hotel, members: { alice: developer, carol: maintainer, sam: developer, wendy: developer, bellhop: maintainer } }
projects:
  - path: hotel/app
    labels: [needs triage, ready to merge, security, "backport::17.0"]
    milestones: ["17.0"]
    files: { README.md: "# App" }
    merge_requests:
      - { title: Tell how to install it, author: alice, source_branch: install, labels: [needs triage], files: { docs/install.md: Run it. } }
      - title: Add a door
        author: alice
        source_branch: door
        labels: [ready to merge]
        files: { src/door.ts: "export {}" }
        pipeline: success
      - { title: Mend a page, author: carol, source_branch: page, labels: [security, "backport::17.0"], files: { web/index.html: <p> } }
`

let service: ScenarioService
let project: number
const connection = () =>
  connect({
    serviceUrl: service.environment.BELLHOP_SERVICE_URL ?? '',
    serviceToken: service.environment.BELLHOP_SERVICE_TOKEN ?? '',
  })

beforeAll(async () => {
  service = await startScenario({ text: scenario })
  ;({ project } = await projectNamed(connection(), 'hotel/app'))
})
afterAll(() => service.close())

/** The endpoints that a decision reads, in order, without those that only `explain` reads first. */
async function calledFor(example: string, iid: number, lines: string[]): Promise<string[]> {
  const files = await rulesFromFiles([fileURLToPath(new URL(`../../rules/examples/${example}.yml`, import.meta.url))])
  service.called.length = 0
  const read = readOverrides(lines)
  if (!read.ok) throw new Error(read.problems.join('\n'))
  const { overrides } = read
  await explainNow({ client: connection(), project, iid, files, overrides, offLabel: 'bellhop::off' })
  expect(service.called.slice(0, 2)).toEqual(['users.current', 'mergeRequests.get'])
  return service.called.slice(2)
}

it.each<[example: string, iid: number, test: string, ...overrides: string[]]>([
  ['label-documentation', 1, 'documentation is labelled, and no longer waits for triage'],
  ['label-documentation', 2, 'one file of code makes it more than documentation'],
  ['accept-when-green', 1, 'it is not merged without the label'],
  ['accept-when-green', 2, 'what a person marked as ready is merged'],
  ['squash-many-commits', 2, 'two good commits stay two'],
  ['merge-dependency-updates', 1, 'a person’s own update is for people'],
  ['merge-reverts', 2, 'another title is no revert'],
  ['release-freeze', 2, 'the day before there is no freeze', 'now=2026-12-18T12:00Z'],
  ['size-labels', 1, 'fifty lines are small'],
  ['backport-milestone', 3, 'a label names the milestone'],
  ['welcome-newcomers', 1, 'a newcomer is welcomed'],
  ['ask-code-owners', 3, 'the web belongs to wendy'],
  ['assign-security', 3, 'a label is enough'],
  ['close-stale', 1, 'an active one is left alone'],
  ['merge-on-request', 2, 'nobody asked'],
])('%s reads for !%i what is counted for: %s', async (example, iid, test, ...overrides) => {
  const counted = (await costsOf(example)).get(test)?.reads
  expect(await calledFor(example, iid, overrides)).toEqual(
    counted?.flatMap((name): readonly unknown[] => sourceNamed(name)?.pagedCalls ?? [sourceNamed(name)?.endpoint]),
  )
})
