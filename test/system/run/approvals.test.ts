// Without hooks: for which content an approval was given, is read from the service.
import { setTimeout as delay } from 'node:timers/promises'
import { startRunWorld } from './run-world.ts'

const rules = `
version: 1
rules:
  - name: merge what is approved
    if: { approved: true }
    then: { accept: true }
`

/** Heads and approvals have times in seconds. */
const aSecondLater = () => delay(1_100)

test('an approval that was revoked does not count when it was given for other content, which is taken back', async () => {
  const world = await startRunWorld(rules, { tier: 'free' })
  onTestFinished(() => world.close())
  const { iid, sha, branch } = await world.open({ branch: 'one', pipeline: 'running' })
  const [alice, bob] = [world.as('alice').mergeRequests, world.as('bob').repository.branches]
  await alice.approve(world.ref(iid))
  await world.summary()
  await alice.unapprove(world.ref(iid))
  await aSecondLater()
  await world.push(branch, 'repaired.md')
  await aSecondLater()
  await alice.approve(world.ref(iid))
  await aSecondLater()
  // As a forced push.
  await bob.delete({ id: world.project, branch })
  await bob.create({ id: world.project, branch, ref: sha })
  await world.root.repository.statuses.create({ id: world.project, sha, ref: branch, state: 'success', name: 'ci' })
  const { subjects } = await world.summary()
  expect(await world.mergeRequest(iid)).toMatchObject({ state: 'opened', sha })
  expect(subjects).toMatchObject([{ verdict: expect.stringContaining('not counted: alice approved') }])
})
