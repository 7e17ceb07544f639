// What the running bot tells of the past and of broken rules, over HTTP and git. On Redis only (backend-independent).
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { bellhop } from '../../cli/run-here.ts'
import { onRedis } from '../../servers/on-redis.ts'
import { startTestWorld, type TestWorld } from '../world.ts'

const rules = `
version: 1
rules:
  - name: merge on request
    command: merge
    then: { accept: true }

  - name: hold while it is not ready
    if: { labels: { any: ["not ready"] } }
    then: { label: { while: "blocked::not ready" } }

  - name: who counts approvals
    if: { source_branch: { glob: "counted-*" }, approvals_given: { at_least: 5 } }
    then: { todo: true }

  - name: tell of work
    on: [wiki_page.create, push]
    then: { notify: { to: team, text: "{{ ref }}" } }
`

onRedis((queueUrl) => {
  let world: TestWorld
  let next = 1
  beforeAll(async () => {
    world = await startTestWorld({ rules, queueUrl: queueUrl() })
  })
  afterAll(() => world?.end())

  describe('bellhop explain', () => {
    test('asks the running bot what it remembers: a request that stands, and who pushed', async () => {
      const { iid, sha, branch } = await world.open('Asked to merge')
      await world.pipeline(sha, branch, 'running')
      await world.say(iid, '@bellhop merge', world.people.renovate)
      const environment = { BELLHOP_SERVICE_URL: world.sandbox.url, BELLHOP_SERVICE_TOKEN: world.people.bellhop.token }
      const flags = ['explain', 'hotel/app', String(iid), '--format', 'json']
      const told = async (...more: string[]) => {
        const { code, out, err } = await bellhop([...flags, ...more], {
          ...environment,
          BELLHOP_ADMIN_TOKEN: world.adminToken,
        })
        expect([code, err]).toEqual([0, ''])
        const { rules: evaluated, unknown } = JSON.parse(out)
        return {
          rule: evaluated.find(({ name }: { name: string }) => name === 'merge on request'),
          unknown: unknown.join(' '),
        }
      }
      const [alone, asking] = [await told(), await told('--bellhop', world.bellhop.url)]
      expect(alone).toMatchObject({
        rule: { verdict: 'false' },
        unknown: expect.stringContaining('Earlier actions are unknown here'),
      })
      expect(asking).toMatchObject({ rule: { verdict: 'true', actions: [{ action: 'accept', result: 'waits' }] } })
      expect(asking.unknown).toBe('The rest of the new-rule limit is unknown here.')
    })

    test('shows the last good rules while the file is broken, with and without the bot, as do its decisions', async () => {
      const push = (text: string) =>
        world.clone.push({
          as: world.people.renovate,
          branch: 'master',
          files: { '.bellhop.yml': text },
          message: 'Rules',
        })
      const { iid } = await world.open('Opened before the rules broke')
      await world.settle()
      await push(`${rules}    mood: act\n`)
      await world.settle()
      const environment = {
        ...{ BELLHOP_SERVICE_URL: world.sandbox.url, BELLHOP_SERVICE_TOKEN: world.people.bellhop.token },
        ...{ BELLHOP_ADMIN_URL: world.bellhop.url, BELLHOP_ADMIN_TOKEN: world.adminToken },
      }
      const shell = async (...args: string[]) => {
        const { code, out, err } = await bellhop(args, environment)
        expect([code, err]).toEqual([0, ''])
        return out
      }
      const broken = 'nothing is approved or accepted until it is fixed'
      for (const more of [[], ['--bellhop', world.bellhop.url]]) {
        const out = await shell('explain', 'hotel/app', String(iid), ...more)
        expect(out).toMatch(/\nproblem: \.bellhop\.yml:\d+:5: .*unknown key "mood"/)
        expect(out).toContain(broken)
        expect(out).toContain('merge on request (.bellhop.yml:')
      }
      const [decision] = await world.decisions(iid)
      expect(decision?.files).toMatchObject([{ path: '.bellhop.yml', broken: true }])
      expect(await shell('decisions', 'show', decision?.id ?? '')).toContain(broken)
      expect(await shell('decisions', 'list')).toContain('rules broken')
      // A rule is for pushes, so that the delivery counts as read.
      const { items } = JSON.parse(await shell('deliveries', 'list', '--format', 'json'))
      const reason = expect.stringContaining('unknown key "mood"')
      expect(items).toContainEqual(expect.objectContaining({ state: 'read', reason }))
      await push(rules)
      await world.settle()
    })
  })

  test('bellhop backtest asks the running bot what was so while it was open: its labels and approvals, as far as its rules read them', async () => {
    const { root, hooks } = { root: world.service.mergeRequests, hooks: world.service.projects.hooks }
    const over = async (title: string, prefix: string) => {
      const branch = `${prefix}-${next++}`
      const { iid } = await world.openMergeRequest({ branch, title })
      const of = world.ref(iid)
      await root.update({ ...of, add_labels: 'ready' })
      await world.as(world.people.renovate).mergeRequests.approve(of)
      await world.settle()
      await root.accept(of)
      await root.update({ ...of, remove_labels: 'ready' })
      await world.settle()
      return iid
    }
    const hook = { id: world.project, hook_id: world.hookId, url: `${world.bellhop.url}/hooks`, push_events: false }
    const seen = await over('Seen', 'counted')
    const partly = await over('Seen without its approvals', 'uncounted')
    await hooks.update({ ...hook, merge_requests_events: false })
    const unseen = await over('Never seen', 'counted')
    await hooks.update({ ...hook, merge_requests_events: true, push_events: true })
    const path = join(await mkdtemp(join(tmpdir(), 'bellhop-past-')), 'past.yml')
    const rule = (name: string, condition: string) => `  - { name: ${name}, if: ${condition}, then: { todo: true } }\n`
    await writeFile(
      path,
      `rules:\n${rule('ready', '{ labels: ready }')}${rule('approved', '{ approvals_given: { at_least: 1 } }')}`,
    )
    const backtest = (...more: string[]) =>
      bellhop(['backtest', 'hotel/app', '--last', '3', '--rules', path, '--bellhop', world.bellhop.url, ...more], {
        ...{ BELLHOP_SERVICE_URL: world.sandbox.url, BELLHOP_SERVICE_TOKEN: world.people.bellhop.token },
        BELLHOP_ADMIN_TOKEN: world.adminToken,
      })
    const told = JSON.parse((await backtest('--format', 'json')).out)
    const holds = { verdict: 'true', unknown: [], actions: [{ action: 'todo', result: 'call' }] }
    expect(told.mergeRequests).toMatchObject([
      {
        iid: unseen,
        seen: false,
        decided: false,
        rules: [holds, { unknown: ['approvals_given'] }],
      },
      {
        iid: partly,
        seen: true,
        decided: false,
        rules: [holds, { verdict: 'unknown', unknown: ['approvals_given'] }],
      },
      { iid: seen, seen: true, decided: true, rules: [holds, holds] },
    ])
    const { out } = await backtest()
    await rm(dirname(path), { recursive: true })
    expect(out).toContain(
      [
        '3 of 3 merge requests evaluated: 1 decided, 2 not.\nUnknown facts: approvals_given (2).\n',
        'The bot had stored facts of 2 merged or closed ones. Nothing for 1: ',
      ].join(''),
    )
  })
})
