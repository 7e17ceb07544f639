// The demo's rules and stories: each story acts in the small world, then checks the hosting service's state.
import { firstBlocker } from '../../rules/explain/explain.ts'
import { askStatus } from '../service/connect.ts'
import { type Check, playQueueStory, type Stage } from './queue-story.ts'
import { playRunStory } from './run-story.ts'
import type { SmallWorld } from './small-world.ts'

export interface StoryClaim {
  story: string
  claim: string
  passed: boolean
  found: string
}

interface Story {
  title: string
  play: (stage: Stage, check: Check) => Promise<void>
}

const dependency = (version: string) => ({ 'package.json': `{ "dependencies": { "left-pad": "${version}" } }\n` })

async function openUpdate({ world, narrator }: Stage, branch: string, version: string) {
  const title = `Update left-pad to ${version}`
  const made = await world.openMergeRequest({ as: world.people.renovate, branch, title, files: dependency(version) })
  narrator.say(`renovate-bot opened !${made.iid}`)
  return made
}

const stories: Record<string, Story> = {
  a: {
    title: 'A documentation merge request gets label, estimate and subscription',
    async play({ world, narrator }, check) {
      const from = narrator.position()
      const { iid } = await world.openMergeRequest({
        as: world.people.alice,
        branch: 'explain-setup',
        title: 'Explain the setup',
        files: { 'docs/setup.md': '# Setup\n' },
      })
      narrator.say(`alice opened !${iid}`)
      await world.settle()
      const body = await world.mergeRequest(iid)
      check('it has the label', body.labels, ['documentation'])
      check('its estimate is 15 minutes', body.time_stats?.time_estimate, 900)
      check('Bellhop is subscribed', body.subscribed, true)
      check('it is still open', body.state, 'opened')
      check('each call was sent once', narrator.calls(from, iid).length, 3)
    },
  },
  b: {
    title: 'A dependency update is approved, labelled, and merged when its pipeline succeeds',
    async play(stage, check) {
      const { world, narrator } = stage
      const branch = 'renovate/left-pad-1.1'
      const { iid, sha } = await openUpdate(stage, branch, '1.1.0')
      await world.pipeline(sha, branch, 'running')
      await world.settle()
      const waiting = await world.mergeRequest(iid)
      check('it is not merged while the pipeline runs', waiting.state, 'opened')
      check('it has the label', waiting.labels, ['dependencies'])
      const { approved_by } = (await world.service.mergeRequests.approvals(world.ref(iid))).body
      check(
        'Bellhop approved it',
        approved_by?.map((each) => each.user?.username),
        ['bellhop'],
      )
      await world.pipeline(sha, branch, 'success')
      narrator.say(`pipeline green for !${iid}`)
      await world.settle()
      const body = await world.mergeRequest(iid)
      check('it is merged', body.state, 'merged')
      const branches = await world.service.repository.branches.list({ id: world.project, search: branch })
      check(
        'the branch is gone',
        branches.body.some(({ name }) => name === branch),
        false,
      )
      check('the file on master is the new one', await dependenciesOf(world), dependency('1.1.0'))
      narrator.say(`merged !${iid} (${body.merge_commit_sha})`)
    },
  },
  c: {
    title: 'A merge request whose pipeline fails is not merged, and Bellhop says why',
    async play(stage, check) {
      const { world, narrator } = stage
      const branch = 'renovate/left-pad-2'
      const { iid, sha } = await openUpdate(stage, branch, '2.0.0')
      await world.pipeline(sha, branch, 'failed')
      narrator.say(`pipeline failed for !${iid}`)
      await world.settle()
      const body = await world.mergeRequest(iid)
      check('it is not merged', body.state, 'opened')
      const of = { project: world.project, iid }
      const [decision] = (await world.bellhop.journal.decisions.list({ mergeRequest: of, limit: 1 })).items
      const rule = decision?.rules.find((each) => each.name === 'merge dependency updates when green')
      const blocker = rule === undefined ? undefined : firstBlocker(rule)
      check('the first blocker is the pipeline', blocker?.condition, 'pipeline')
      check('its actual value is shown', blocker?.actual.includes('failed'), true)
      check('the fix is shown', (blocker?.toFix ?? '') !== '', true)
      narrator.say(
        `!${iid} is not merged: ${blocker?.condition} is ${blocker?.actual}, expected ${blocker?.expected}. To fix: ${blocker?.toFix}`,
      )
    },
  },
  d: {
    title: 'A push during the evaluation: the sha guard refuses, and it is evaluated again',
    async play(stage, check) {
      const { world, narrator, beforeAccept } = stage
      const from = narrator.position()
      const branch = 'renovate/left-pad-1.2'
      const { iid, sha } = await openUpdate(stage, branch, '1.2.0')
      await world.settle()
      let newHead = ''
      beforeAccept.push(async () => {
        newHead = await world.clone.push({
          as: world.people.renovate,
          branch,
          files: dependency('1.2.1'),
          message: 'Update left-pad to 1.2.1',
        })
        narrator.say(`renovate-bot pushed ${newHead.slice(0, 10)} to !${iid} just before the accept arrived`)
      })
      await world.pipeline(sha, branch, 'success')
      await world.settle()
      const refused = narrator.calls(from, iid).flatMap(({ result, status }) => (result === 'moved' ? [status] : []))
      check('the accept of the old head was refused with 409', refused, [409])
      const between = await world.mergeRequest(iid)
      check('it is not merged without a pipeline of the new head', between.state, 'opened')
      check('the service knows the new head', between.sha, newHead)
      await world.pipeline(newHead, branch, 'success')
      narrator.say(`pipeline green for the new head of !${iid}`)
      await world.settle()
      const body = await world.mergeRequest(iid)
      narrator.say(`merged !${iid} (${body.merge_commit_sha})`)
      check('it is merged once its own pipeline is green', body.state, 'merged')
      check('what was merged is the new content', await dependenciesOf(world), dependency('1.2.1'))
    },
  },
  e: {
    title: 'The same delivery sent twice acts once',
    async play({ world, narrator }, check) {
      const hook = { id: world.project, hook_id: world.hookId, url: `${world.bellhop.url}/hooks` }
      // The hook is off, so that Bellhop gets only the two deliveries below.
      await world.service.projects.hooks.update({ ...hook, merge_requests_events: false })
      const { iid } = await world.openMergeRequest({
        as: world.people.alice,
        branch: 'explain-teardown',
        title: 'Explain the teardown',
        files: { 'docs/teardown.md': '# Teardown\n' },
      })
      await world.settle()
      const from = narrator.position()
      const body = {
        object_kind: 'merge_request',
        project: { id: world.project },
        object_attributes: { iid, target_project_id: world.project, action: 'open', source_branch: 'explain-teardown' },
      }
      const send = () =>
        post(world, JSON.stringify(body), { 'x-gitlab-token': world.hookSecret, 'idempotency-key': 'f3a7c9d2-demo' })
      const statuses = [await send(), await send()]
      await world.settle()
      await world.service.projects.hooks.update({ ...hook, merge_requests_events: true })
      check('both were answered 202', statuses, [202, 202])
      const counts = ['delivery_accepted', 'delivery_duplicate'].map((event) => narrator.events(from, event).length)
      check('one delivery was accepted, one was a duplicate', counts, [1, 1])
      check('label, estimate and subscription were sent once each', narrator.calls(from, iid).length, 3)
    },
  },
  f: {
    title: 'A wrong token gets 401 and leaves no job',
    async play({ world }, check) {
      const jobs = () => world.bellhop.bot.queues.deliveries.counts()
      const before = await jobs()
      const wrong = await post(world, '{"object_kind":"push"}', { 'x-gitlab-token': 'wrong' })
      const missing = await post(world, '{"object_kind":"push"}', {})
      check('a wrong and a missing token are answered 401', [wrong, missing], [401, 401])
      check('no job was left', await jobs(), before)
    },
  },
  g: {
    title: 'An admin replays the delivery of (a), and nothing changes twice',
    async play({ world, narrator }, check) {
      // That of (a) is the first.
      const of = { mergeRequest: { project: world.project, iid: 1 }, kind: 'merge_request.open' }
      const [delivery] = (await world.bellhop.journal.deliveries.list({ ...of, limit: 1 })).items
      if (delivery === undefined) return check('the delivery of (a) is known', undefined, 'a delivery')
      const before = await world.mergeRequest(1)
      const from = narrator.position()
      const replay = { method: 'POST', headers: { authorization: `Bearer ${world.adminToken}` } }
      const path = `/admin/api/deliveries/${delivery.id}/replay`
      const status = await askStatus(world.bellhop.url + path, 60_000, replay)
      await world.settle()
      check('the replay was accepted', status, 202)
      check('it was evaluated again', narrator.events(from, 'decided').length > 0, true)
      check('no call was sent', narrator.events(from, 'call').length, 0)
      check('the merge request is as it was', await world.mergeRequest(1), before)
    },
  },
  h: {
    title: 'Two merge requests are green apart and red together: without a merge queue, and with one',
    play: playQueueStory,
  },
  i: { title: 'Without a server: bellhop run, as a scheduled job would', play: playRunStory },
}

async function dependenciesOf({ service, project }: SmallWorld): Promise<Record<string, string>> {
  const file_path = 'package.json'
  return { [file_path]: (await service.repository.files.raw({ id: project, file_path, ref: 'master' })).body }
}

function post({ bellhop }: SmallWorld, body: string, headers: Record<string, string>) {
  const all = { 'content-type': 'application/json', 'x-gitlab-event': 'Merge Request Hook', ...headers }
  return askStatus(`${bellhop.url}/hooks`, 60_000, { method: 'POST', body, headers: all })
}

export async function playStories(stage: Stage): Promise<StoryClaim[]> {
  const claims: StoryClaim[] = []
  for (const [story, { title, play }] of Object.entries(stories)) {
    stage.narrator.title(`(${story}) ${title}`)
    await play(stage, (claim, given, wanted) => {
      const [found, expected] = [given, wanted].map((each) => JSON.stringify(each))
      const passed = found === expected
      claims.push({ story, claim, passed, found: found ?? 'nothing' })
      stage.narrator.say(passed ? `✓ ${claim}` : `✗ ${claim}: expected ${expected}, found ${found}`)
    })
  }
  return claims
}

export const demoRules = `# yaml-language-server: $schema=./bellhop.schema.json
version: 1
queues:
  - { name: main, target: master, retries: 0 }
rules:
  - name: label documentation
    if: { changed_files: { all: "docs/**" } }
    then: { label: { add: documentation }, estimate: 15m, subscribe: true }

  - name: approve dependency updates
    if:
      author: [renovate-bot]
      pushed_by: { all: [renovate-bot] }
      labels: { none: [hold, "blocked::*"] }
      draft: false
    then: { approve: true, label: { add: dependencies } }

  - name: merge dependency updates when green
    if:
      author: [renovate-bot]
      pushed_by: { all: [renovate-bot] }
      labels: { any: [dependencies], none: [hold, "blocked::*"] }
      pipeline: success
      draft: false
    then:
      accept: { squash: true, remove_source_branch: true }

  - name: merge what is green
    if: { labels: { any: [ship] }, pipeline: success }
    then: { accept: true }

  - name: merge through the queue
    if: { labels: { any: [queue] }, pipeline: success }
    then: { accept: { queue: main } }
`
