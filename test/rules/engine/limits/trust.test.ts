// Trust: what the repository's own rules may not approve or accept, and a broken file.
import { describe, expect, it } from 'vitest'
import { decide } from '../../../../src/rules/engine/decide.ts'
import type { SourceAnswers } from '../../../../src/rules/types.ts'
import {
  answer,
  answers,
  approvedByBot,
  change,
  changesAnswer,
  decided,
  file,
  head,
  input,
  rule,
  rules,
} from '../../world.ts'

const text = rules(rule('{ author: alice }', '{ approve: true, accept: true, label: { add: a } }'))
const own = file(text, { trust: 'repository' })
const outcome = (fields = {}, other: SourceAnswers = {}, files = [own]) => {
  const decision = decided(input(files, { answers: answers(fields, other) }))
  return {
    calls: decision.calls.map((call) => call.action),
    results: decision.rules[0]?.actions.map((each) => each.result),
    detail: decision.rules[0]?.actions[0]?.detail,
  }
}
const changes = (list: object[], more = {}, complete = true) => ({ changes: changesAnswer(list, more, complete) })
const held = { calls: ['label'], results: ['blocked', 'blocked', 'call'] }

describe('the repository’s own rules', () => {
  it('approve and accept into the default branch', () => {
    expect(outcome().calls).toEqual(['approve', 'label', 'accept'])
  })
  it.each([
    ['into another branch', { target_branch: 'release' }, {}],
    ['when the default branch is unknown', {}, { project: { ok: false as const, reason: '404' } }],
    ['what changes their own file', {}, changes([change('.bellhop.yml')])],
    ['what moves their own file away', {}, changes([change('old.yml', '.bellhop.yml')])],
    ['what moves a file into its place', {}, changes([change('.bellhop.yml', 'new.yml')])],
    ['what changes more than is listed', {}, changes([change('a')], { overflow: true })],
    ['what changes more than is counted', {}, changes([change('a')], { changes_count: '1000+' })],
    ['what changes more than was read', {}, changes([change('a')], {}, false)],
    ['what changes nobody knows', {}, { changes: { ok: false as const, reason: '403' } }],
    ['what changes files without a name', {}, changes([{ new_path: 'a' }])],
  ])('never %s', (_what, fields, other) => {
    expect(outcome(fields, other)).toMatchObject(held)
  })
  it('say why', () => {
    expect(outcome({}, changes([change('.bellhop.yml')])).detail).toBe(
      'it changes .bellhop.yml, and the repository’s own rules never merge their replacement: a person must',
    )
  })
  it('protect every rule file in force', () => {
    const included = file(rules(rule('{ draft: true }', '{ subscribe: true }', 'other')), {
      trust: 'repository',
      path: 'ci/rules.yml',
    })
    expect(outcome({}, changes([change('ci/rules.yml')]), [own, included])).toMatchObject(held)
  })
  it('leave alone what other projects include from here', () => {
    const decision = decided(
      input([own], {
        answers: answers({}, changes([change('shared.yml', 'old.yml')])),
        policy: { mode: 'act', protects: ['old.yml'] },
      }),
    )
    expect(decision.calls.map(({ action }) => action)).toEqual(['label'])
    expect(decision.rules[0]?.actions[0]?.detail).toMatch(/^it changes old\.yml/)
  })
  it('are not kept by a file of another project that has the same path', () => {
    const included = { ...own, path: 'hotel/rules:src/door.ts', origin: { project: 2, path: 'src/door.ts' } }
    expect(outcome({}, {}, [own, included]).calls).toEqual(['approve', 'label', 'accept'])
    expect(outcome({}, {}, [own, { ...included, origin: { project: 1, path: 'src/door.ts' } }])).toMatchObject(held)
  })
  it('merge into the branches that the operator names besides, and into no other', () => {
    const into = (target_branch: string) =>
      decided(
        input([own], { answers: answers({ target_branch }), policy: { mode: 'act', mergesInto: ['release/*'] } }),
      ).calls.map(({ action }) => action)
    expect(into('release/1')).toEqual(['approve', 'label', 'accept'])
    expect(['release', 'release/1/x', 'xrelease/1'].map(into)).toEqual([['label'], ['label'], ['label']])
  })
  it('never merge a change of their own file, also into branches that the operator names', () => {
    const given = {
      answers: answers(
        { target_branch: 'release/1' },
        changes([change('.bellhop.yml')], { target_branch: 'release/1' }),
      ),
    }
    expect(
      decided(input([own], { ...given, policy: { mode: 'act', mergesInto: ['**'] } })).calls.map(
        ({ action }) => action,
      ),
    ).toEqual(['label'])
  })
  it('cost no call for a merge request into another branch beyond the project', () => {
    const result = decide(
      input([own], {
        answers: {
          mergeRequest: answers({ target_branch: 'x' }).mergeRequest ?? answer({}),
          project: answer({ default_branch: 'main' }),
        },
      }),
    )
    expect('decision' in result).toBe(true)
  })
})

describe('an operator’s rules', () => {
  it('are not limited so', () => {
    expect(outcome({ target_branch: 'release' }, changes([change('.bellhop.yml')]), [file(text)]).calls).toEqual([
      'approve',
      'label',
      'accept',
    ])
  })
  it('are blocked with all others while any file is broken', () => {
    const broken = file('', { trust: 'repository', broken: true })
    expect(outcome({}, {}, [file(text), broken])).toMatchObject({
      ...held,
      detail: '.bellhop.yml has problems: nothing is approved or accepted until they are fixed',
    })
  })
})

describe('an approval and a waiting merge, while a file is broken', () => {
  const text = rules(rule('{ author: alice }', '{ approve: true, accept: { when: pipeline_succeeds } }'))
  const files = [file(text, { trust: 'repository', broken: true })]
  const waiting = {
    merge_when_pipeline_succeeds: true,
    head_pipeline: { id: 5, sha: head, ref: 'feature', status: 'running' },
  }
  const memory = { rules: {}, pushes: [], of: { approve: head, accept: { waitingSha: head } } }
  const takenBack = (fields: object, other: SourceAnswers) =>
    decided(
      input(files, { memory, answers: answers({ ...waiting, ...fields }, { ...approvedByBot, ...other }) }),
    ).calls.map(({ endpoint }) => endpoint)

  it('stay where they may stand', () => {
    expect(takenBack({}, {})).toEqual([])
  })
  it.each([
    ['of what was retargeted to another branch', { target_branch: 'production' }, {}],
    ['of what changes a rule file by now', {}, changes([change('.bellhop.yml')])],
  ])('are withdrawn %s', (_, fields, other) => {
    expect(takenBack(fields, other)).toEqual([
      'mergeRequests.unapprove',
      'mergeRequests.cancelMergeWhenPipelineSucceeds',
    ])
  })
})
