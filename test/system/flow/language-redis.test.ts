// The rule language over HTTP and git: people ask, comment, change their minds. On Redis only (backend-independent).
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bellhop } from '../../cli/run-here.ts'
import { type NoticeReceiver, startNoticeReceiver } from '../../notice-receiver.ts'
import { onRedis } from '../../servers/on-redis.ts'
import { startTestWorld, type TestWorld } from '../world.ts'
import { eventRules, eventSuite } from './events.suite.ts'

const rules = `
version: 1
defs:
  welcome: { author: alice, title: { matches: "^Explain" } }
rules:
  - name: welcome
    if: { use: welcome }
    then: { comment: "Thank you, @{{ author }}, for {{ title }}." }

  - name: hold while it is not ready
    if: { labels: { any: ["not ready"] } }
    then: { label: { while: "blocked::not ready" } }

  - name: let the service wait
    if: { labels: { any: [automerge], none: [hold] } }
    then: { accept: { when: pipeline_succeeds } }

  - name: who counts approvals
    if: { source_branch: { glob: "counted-*" }, approvals_given: { at_least: 5 } }
    then: { todo: true }

  - name: look at old ones
    if: { age: { older_than: 1w } }
    then: { label: { add: old } }
${eventRules}`

onRedis((queueUrl) => {
  let world: TestWorld
  let next = 1
  let receiver: NoticeReceiver
  beforeAll(async () => {
    receiver = await startNoticeReceiver()
    const prepare = async (folder: string) => {
      const [file, address] = [join(folder, 'chats.yml'), join(folder, 'address')]
      await writeFile(address, receiver.url)
      await writeFile(file, `version: 1\nchats:\n  team: { kind: json, url: { file: ${address} } }\n`)
      return { BELLHOP_CHATS: file }
    }
    world = await startTestWorld({ rules, prepare, queueUrl: queueUrl() })
  })
  afterAll(async () => {
    await world.end()
    await receiver.close()
  })

  const notes = async (iid: number) =>
    (await world.service.mergeRequests.notes.list(world.ref(iid))).body.map((note) => [
      note.author?.username,
      note.body?.split('\n')[0],
    ])

  describe('a comment of a rule', () => {
    test('is written once, follows what it speaks of, and stays away when a person deletes it', async () => {
      const { iid } = await world.open('Explain how to cook')
      await world.settle()
      expect(await notes(iid)).toEqual([['bellhop', 'Thank you, @alice, for Explain how to cook.']])
      await world.update(iid, { title: 'Explain how to cook well' })
      expect(await notes(iid)).toEqual([['bellhop', 'Thank you, @alice, for Explain how to cook well.']])
      const [note] = (await world.service.mergeRequests.notes.list(world.ref(iid))).body
      await world.service.mergeRequests.notes.delete({
        ...world.ref(iid),
        note_id: note?.id ?? 0,
      })
      await world.update(iid, { title: 'Explain how to bake' })
      expect(await notes(iid)).toEqual([])
    })
  })

  describe('a command', () => {
    test('of somebody who may not merge is not heard', async () => {
      const { iid, sha, branch } = await world.open('Not heard')
      await world.pipeline(sha, branch, 'success')
      await world.say(iid, '@bellhop merge', world.people.alice)
      expect((await world.mergeRequest(iid)).state).toBe('opened')
      // The pipeline may be evaluated after the comment.
      expect(JSON.stringify(await world.decisions(iid))).toContain('"actual":"\\"developer\\""')
    })

    test('is over when the head moves', async () => {
      const { iid, sha, branch } = await world.open('Moves on')
      await world.pipeline(sha, branch, 'running')
      await world.say(iid, '@bellhop merge', world.people.renovate)
      const later = await world.clone.push({
        as: world.people.alice,
        branch,
        files: { 'later.md': 'later\n' },
        message: 'Later',
      })
      await world.pipeline(later, branch, 'success')
      await world.settle()
      expect((await world.mergeRequest(iid)).state).toBe('opened')
    })
  })

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

  describe('bellhop backtest', () => {
    test('asks the running bot what was so while it was open: its labels and approvals, as far as its rules read them', async () => {
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
      const rule = (name: string, condition: string) =>
        `  - { name: ${name}, if: ${condition}, then: { todo: true } }\n`
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
          rules: [{ unknown: ['labels'] }, { unknown: ['approvals_given'] }],
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
          '3 of 3 merge requests evaluated: 1 decided, 2 not.\nUnknown facts: approvals_given (2), labels (1).\n',
          'The bot had stored facts of 2 merged or closed ones. Nothing for 1: ',
        ].join(''),
      )
    })
  })

  describe('why', () => {
    test('is answered in one note, which is brought up to date when somebody asks again', async () => {
      const { iid } = await world.open('Why not', { as: world.people.renovate })
      await world.update(iid, { add_labels: 'automerge' })
      await world.say(iid, '@bellhop why')
      const answers = async () => (await notes(iid)).filter(([author]) => author === 'bellhop')
      const text = async () =>
        (await world.service.mergeRequests.notes.list(world.ref(iid))).body.find(
          (note) => note.author?.username === 'bellhop',
        )?.body
      expect(await text()).toContain('does not act: **let the service wait** (.bellhop.yml:')
      expect(await text()).toContain('pipeline must be')
      await world.update(iid, { add_labels: 'hold' })
      await world.say(iid, '@bellhop why')
      expect(await text()).toContain('labels must be none of "hold", it is "automerge", "hold"')
      expect(await answers()).toHaveLength(1)
    })
  })

  describe('a held label', () => {
    test('is there exactly as long as its rule holds', async () => {
      const { iid } = await world.open('Held')
      await world.update(iid, { add_labels: 'not ready' })
      expect(await world.labels(iid)).toEqual(['blocked::not ready', 'not ready'])
      await world.update(iid, { remove_labels: 'not ready' })
      expect(await world.labels(iid)).toEqual([])
    })
  })

  eventSuite(() => world)

  describe('the label that turns Bellhop off', () => {
    test('makes it leave the merge request alone until it is taken off', async () => {
      const { iid } = await world.open('Leave me alone')
      await world.update(iid, { add_labels: 'bellhop::off,not ready' })
      expect(await world.labels(iid)).toEqual(['bellhop::off', 'not ready'])
      await world.update(iid, { remove_labels: 'bellhop::off' })
      expect(await world.labels(iid)).toEqual(['blocked::not ready', 'not ready'])
    })
  })

  describe('a condition that time alone changes', () => {
    test('is due when it does', async () => {
      const { iid } = await world.open('Will be old')
      await world.settle()
      const all = { limit: 100, nextAt: new Date('2200-01-01') }
      const due = await world.bellhop.journal.mergeRequests.takeDue(new Date('2100-01-01'), all)
      expect(due).toContainEqual({ project: world.project, iid })
    })
  })
})
