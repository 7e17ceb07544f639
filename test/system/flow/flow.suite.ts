// The main job over real HTTP, real git and the real queue: run on each queue by the files beside it.
import { demoRules } from '../../../src/cli/demo/stories.ts'
import { startTestWorld, type TestWorld } from '../world.ts'

/** `queueUrl` is asked when the suite starts; undefined is the embedded queue. */
export function flowSuite(queueUrl: () => string | undefined): void {
  let world: TestWorld
  let nextVersion = 2
  beforeAll(async () => {
    world = await startTestWorld({ rules: demoRules, queueUrl: queueUrl() })
  })
  afterAll(() => world.end())

  const openUpdate = () => {
    const version = `${nextVersion++}.0.0`
    return world.openMergeRequest({
      as: world.people.renovate,
      branch: `renovate/left-pad-${version}`,
      title: `Update left-pad to ${version}`,
      files: { 'package.json': `{ "dependencies": { "left-pad": "${version}" } }\n` },
    })
  }
  const openDocs = (name: string) =>
    world.openMergeRequest({
      branch: `docs-${name}`,
      title: `Explain ${name}`,
      files: { [`docs/${name}.md`]: `# ${name}\n` },
    })

  describe.sequential('a delivery becomes action', () => {
    test('a documentation merge request gets label, estimate and subscription, once each', async () => {
      const { iid } = await openDocs('once')
      await world.settle()
      expect(await world.mergeRequest(iid)).toMatchObject({
        labels: ['documentation'],
        subscribed: true,
        time_stats: { time_estimate: 900 },
        state: 'opened',
      })
      expect(world.calls(iid).map((call) => call.result)).toEqual(['done', 'done', 'done'])
    })

    test('a label that a human took off stays off while the rule holds', async () => {
      const { iid } = await openDocs('human')
      await world.settle()
      await world.update(iid, { labels: '' })
      expect(await world.labels(iid)).toEqual([])
    })

    test('an accept carries the evaluated head, and merges when the pipeline of that head succeeds', async () => {
      const { iid, sha, branch } = await openUpdate()
      await world.pipeline(sha, branch, 'running')
      await world.settle()
      expect(await world.mergeRequest(iid)).toMatchObject({ state: 'opened', labels: ['dependencies'] })
      await world.pipeline(sha, branch, 'success')
      await world.settle()
      expect(await world.mergeRequest(iid)).toMatchObject({ state: 'merged' })
      const accept = world.calls(iid).find((call) => call.endpoint === 'mergeRequests.accept')
      expect(accept).toMatchObject({ result: 'done', params: { sha } })
    })

    test('a failed pipeline does not merge, and the decision says what would unblock', async () => {
      const { iid, sha, branch } = await openUpdate()
      await world.pipeline(sha, branch, 'failed')
      await world.settle()
      expect(await world.mergeRequest(iid)).toMatchObject({ state: 'opened' })
      const [decision] = await world.decisions(iid)
      const rule = decision?.rules.find((each) => each.name === 'merge dependency updates when green')
      expect(rule?.verdict).toBe('false')
      expect(JSON.stringify(rule?.conditions)).toContain('failed')
    })

    test('no pipeline yet is not yet, never fine', async () => {
      const { iid } = await openUpdate()
      await world.settle()
      expect(await world.mergeRequest(iid)).toMatchObject({ state: 'opened' })
      expect(world.calls(iid).some((call) => call.endpoint === 'mergeRequests.accept')).toBe(false)
    })

    test('accept is refused when the head moved, and the new head is evaluated by its own pipeline', async () => {
      const { iid, sha, branch } = await openUpdate()
      await world.settle()
      let newHead = ''
      world.before('mergeRequests.accept', async () => {
        newHead = await world.clone.push({
          as: world.people.renovate,
          branch,
          files: { 'package.json': `{ "pushed": "${branch}" }\n` },
          message: 'One more',
        })
      })
      await world.pipeline(sha, branch, 'success')
      await world.settle()
      expect(world.calls(iid).filter((call) => call.endpoint === 'mergeRequests.accept')).toMatchObject([
        { result: 'moved', status: 409 },
      ])
      expect(await world.mergeRequest(iid)).toMatchObject({ state: 'opened', sha: newHead })
      await world.pipeline(newHead, branch, 'success')
      await world.settle()
      expect(await world.mergeRequest(iid)).toMatchObject({ state: 'merged' })
    })

    test('a push by someone whom the rule does not name keeps it from merging, and takes the approval back', async () => {
      const { iid, branch } = await openUpdate()
      await world.settle()
      const head = await world.clone.push({
        as: world.people.alice,
        branch,
        files: { 'package.json': '{ "evil": true }\n' },
        message: 'Update left-pad',
      })
      await world.pipeline(head, branch, 'success')
      await world.settle()
      expect(await world.mergeRequest(iid)).toMatchObject({ state: 'opened' })
      const { body } = await world.service.mergeRequests.approvals(world.ref(iid))
      expect(body.approved_by).toEqual([])
    })

    test('a merge request that touches the rule file is never merged by the repository’s own rules', async () => {
      const branch = 'renovate/rules'
      const files = { '.bellhop.yml': demoRules.replace('left-pad', 'right-pad').concat('\n# changed\n') }
      const { iid, sha } = await world.openMergeRequest({
        as: world.people.renovate,
        branch,
        title: 'Update the rules',
        files,
      })
      await world.pipeline(sha, branch, 'success')
      await world.settle()
      expect(await world.mergeRequest(iid)).toMatchObject({ state: 'opened' })
      expect(
        world
          .calls(iid)
          .filter((call) => call.endpoint === 'mergeRequests.accept' || call.endpoint === 'mergeRequests.approve'),
      ).toEqual([])
    })
  })

  describe.sequential('deliveries', () => {
    const delivery = (iid: number) =>
      JSON.stringify({
        object_kind: 'merge_request',
        project: { id: world.project },
        object_attributes: { iid, target_project_id: world.project, action: 'update' },
      })

    test('the same delivery fifty times at once is one delivery, and every answer is 202', async () => {
      const { iid } = await openDocs('fifty')
      await world.settle()
      const before = await world.bellhop.journal.deliveries.list({ limit: 200 })
      const headers = { 'x-gitlab-token': world.hookSecret, 'idempotency-key': 'fifty-times' }
      const statuses = await Promise.all(Array.from({ length: 50 }, () => world.deliver(delivery(iid), headers)))
      await world.settle()
      expect(new Set(statuses)).toEqual(new Set([202]))
      const after = await world.bellhop.journal.deliveries.list({ limit: 200 })
      expect(after.items.length - before.items.length).toBe(1)
      expect(world.calls(iid)).toHaveLength(3)
    })

    test('of one merge request that come in reverse order end at the state of the service', async () => {
      world.sandbox.faults.hooks({ do: 'hold' })
      const { iid, sha, branch } = await openUpdate()
      await world.pipeline(sha, branch, 'running')
      await world.pipeline(sha, branch, 'failed')
      const head = await world.clone.push({
        as: world.people.renovate,
        branch,
        files: { 'package.json': '{}\n' },
        message: 'Mend it',
      })
      await world.pipeline(head, branch, 'running')
      await world.pipeline(head, branch, 'success')
      await world.settle()
      expect(await world.mergeRequest(iid)).toMatchObject({ state: 'opened', labels: [] })
      world.sandbox.faults.clear()
      world.sandbox.faults.releaseHooks()
      await world.settle()
      expect(await world.mergeRequest(iid)).toMatchObject({ state: 'merged', sha: head, labels: ['dependencies'] })
      expect(world.calls(iid).filter((call) => call.endpoint === 'mergeRequests.accept')).toMatchObject([
        { result: 'done', params: { sha: head } },
      ])
    })
  })

  describe.sequential('rule files', () => {
    test('a push that changes the rules evaluates the open merge requests again', async () => {
      const { iid } = await world.open('Some code', { files: { 'src/code.js': 'let a = 1\n' } })
      expect(await world.labels(iid)).toEqual([])
      const rule =
        '\n  - name: label code\n    if: { changed_files: { all: "src/**" } }\n    then: { label: { add: code } }\n'
      await world.clone.push({
        as: world.people.renovate,
        branch: 'master',
        files: { '.bellhop.yml': demoRules + rule },
        message: 'Label code',
      })
      await world.settle()
      expect(await world.labels(iid)).toEqual(['code'])
    })

    test('while the rule file is broken the last good one labels, but nothing is merged', async () => {
      const { iid, sha, branch } = await openUpdate()
      await world.settle()
      await world.clone.push({
        as: world.people.renovate,
        branch: 'master',
        files: { '.bellhop.yml': 'version: 1\nrules: 12\n' },
        message: 'Break the rules',
      })
      const docs = await openDocs('broken')
      await world.pipeline(sha, branch, 'success')
      await world.settle()
      expect((await world.mergeRequest(docs.iid)).labels).toEqual(['documentation'])
      expect(await world.mergeRequest(iid)).toMatchObject({ state: 'opened' })
      await world.clone.push({
        as: world.people.renovate,
        branch: 'master',
        files: { '.bellhop.yml': demoRules },
        message: 'Mend the rules',
      })
      await world.settle()
    })
  })
}
