// Every rule file that ships: it reads without a problem, acts where its first line says, and not where it does not.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { actions } from '../src/rules/actions/index.ts'
import { readRules } from '../src/rules/document.ts'
import type { Memory, SourceAnswers } from '../src/rules/types.ts'
import { answer, answers, change, decided, file, head, input, sent } from './rules/world.ts'

const folder = new URL('../rules/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8')
const examples = readdirSync(new URL('examples/', folder)).sort()

const changing = (...paths: string[]): SourceAnswers => ({
  changes: answer({ changes_count: String(paths.length), changes: paths.map((path) => change(path)) }),
})
const pushedBy = (username: string): Memory => ({ rules: {}, pushes: [{ from: null, to: head, by: { username } }] })
const update = { author: { username: 'renovate-bot' }, labels: ['dependencies'] }

interface Scene {
  answers: SourceAnswers
  memory?: Memory
}
const scenes: Record<string, { acts: Scene; calls: unknown; rests: Scene }> = {
  'label-documentation.yml': {
    acts: { answers: answers({ labels: ['needs triage'] }, changing('docs/a.md', 'README.md')) },
    calls: [['mergeRequests.update', { add_labels: 'documentation', remove_labels: 'needs triage' }]],
    rests: { answers: answers({}, changing('docs/a.md', 'src/a.ts')) },
  },
  'approve-dependency-updates.yml': {
    acts: { answers: answers(update, changing('package.json', 'web/package-lock.json')), memory: pushedBy('renovate-bot') },
    calls: [['mergeRequests.approve', { sha: head }]],
    rests: { answers: answers(update, changing('package.json')), memory: pushedBy('mallory') },
  },
  'subscribe-to-ci-changes.yml': {
    acts: { answers: answers({}, changing('.gitlab-ci.yml', 'src/a.ts')) },
    calls: [['mergeRequests.subscribe', {}]],
    rests: { answers: answers({}, changing('src/a.ts')) },
  },
  'estimate-small-changes.yml': {
    acts: { answers: answers({}, changing('src/a.ts')) },
    calls: [['mergeRequests.timeEstimate', { duration: '15m' }]],
    rests: { answers: answers({ changes_count: '4' }, changing('src/a.ts')) },
  },
  'accept-when-green.yml': {
    acts: { answers: answers({ labels: ['ready to merge'] }) },
    calls: [
      ['mergeRequests.update', { squash: true }],
      ['mergeRequests.accept', { sha: head, squash: true, should_remove_source_branch: true }],
    ],
    rests: { answers: answers({ labels: ['ready to merge', 'blocked::legal'] }) },
  },
}

describe('the default rules', () => {
  it('are none', () => {
    expect(readRules(read('default.yml'), 'default.yml', { trust: 'operator' })).toEqual({
      ok: true,
      rules: { file: 'default.yml', rules: [] },
    })
  })
})

describe.each(examples)('%s', (name) => {
  const scene = scenes[name]
  const files = [file(read(`examples/${name}`), { path: name })]

  it('acts where it says', () => {
    if (scene === undefined) throw new Error(`${name} has no scene: add one to test/examples.test.ts`)
    expect(sent(decided(input(files, scene.acts)))).toEqual(scene.calls)
  })
  it('rests where it does not', () => {
    expect(sent(decided(input(files, scene?.rests)))).toEqual([])
  })
  it('says in its first line what it shows', () => {
    expect(read(`examples/${name}`).split('\n')[0]).toMatch(new RegExp(`^# (${Object.keys(actions).join('|')}): .+\\.$`))
  })
})

it('there is an example for every action', () => {
  const shown = examples.map((name) => read(`examples/${name}`).slice(2).split(':')[0])
  expect(shown.sort()).toEqual(Object.keys(actions).sort())
})

it.each(['default.yml', ...examples.map((name) => `examples/${name}`)])('%s names the schema for editors', (name) => {
  const [, schema = ''] = /^# yaml-language-server: \$schema=(\S+)$/m.exec(read(name)) ?? []
  expect(JSON.parse(readFileSync(new URL(schema, new URL(name, folder)), 'utf8'))).toHaveProperty('$defs.rule')
})
