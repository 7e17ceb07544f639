// The verdict on a merge request: one sentence about its merge.
import { sayVerdict } from '../../../src/rules/explain/verdict.ts'
import type { CallResponse, DecideInput, Decision, RuleFileInForce } from '../../../src/rules/types.ts'
import { answers, decided, file, input, rule, rules } from '../world.ts'

const merging = rule('{ labels: [ready], draft: false, pipeline: success }', '{ accept: true }', 'merge updates')

function verdict(texts: readonly string[], state: Parameters<typeof answers>[0] = {}, more: Partial<DecideInput> = {}) {
  const files: RuleFileInForce[] = [file(rules(...texts))]
  return sayVerdict(decided(input(files, { answers: answers(state), ...more })))
}

const pipeline = (status: string) => ({ head_pipeline: { id: 5, sha: 'a'.repeat(40), status, source: 'push' } })

describe('the verdict', () => {
  it('says what blocks a merge, and the rule that merges it then', () => {
    expect(verdict([merging], { labels: ['ready'], ...pipeline('running') })).toBe(
      'Not merged: pipeline is running; then it merges by rule "merge updates".',
    )
    expect(verdict([merging], { draft: true, work_in_progress: true, ...pipeline('running') })).toBe(
      'Not merged: labels is none (needs any of "ready"), draft is true, pipeline is running; then it merges by rule "merge updates".',
    )
  })
  it('does not mention conditions that nobody had to read', () => {
    const { pipelines, ...read } = answers({
      labels: ['ready'],
      draft: true,
      work_in_progress: true,
      head_pipeline: undefined,
    })
    expect(pipelines).toBeDefined()
    expect(verdict([merging], {}, { answers: read })).toBe(
      'Not merged: draft is true; then it merges by rule "merge updates".',
    )
  })
  it('names the rule that is nearest, and of alternatives the nearest', () => {
    const far = rule('{ labels: [a], title: other, author: bob }', '{ accept: true }', 'far')
    expect(verdict([far, merging], pipeline('success'))).toBe(
      'Not merged: labels is none (needs any of "ready"); then it merges by rule "merge updates".',
    )
    const either = rule('{ any: [{ title: x, author: bob }, { labels: [ready] }] }', '{ accept: true }', 'either')
    expect(verdict([either])).toBe(
      'Not merged: labels is none (needs any of "ready"); then it merges by rule "either".',
    )
  })
  it('counts what it does not list, and names what must not be', () => {
    const many = rule(
      '{ labels: [x], title: y, author: bob, target_branch: other, not: { draft: false } }',
      '{ accept: true }',
      'many',
    )
    expect(verdict([many])).toMatch(/^Not merged: (.+, ){3}and 2 more conditions; then it merges by rule "many"\.$/)
    const no = rule('{ not: { author: alice } }', '{ accept: true }', 'no')
    expect(verdict([no])).toBe('Not merged: author is alice; then it merges by rule "no".')
  })
  it('says what merges it now', () => {
    expect(verdict([merging], { labels: ['ready'], ...pipeline('success') })).toMatch(
      /^Now: .*merge.*, by rule "merge updates"\.$/,
    )
  })
  it('says that no rule merges it, also where one only observes', () => {
    const approving = rule('{ author: alice }', '{ approve: true }', 'approve')
    expect(verdict([approving])).toBe('Not merged: no rule merges it.')
    expect(verdict([merging.replace('    if:', '    mode: observe\n    if:')])).toBe('Not merged: no rule merges it.')
    expect(sayVerdict(decided(input([file(rules(approving))])), { hidden: true })).toBe(
      'Not merged: no rule of this repository merges it.',
    )
  })
  it('says what a rule waits for that somebody must ask for', () => {
    const command = '  - name: on request\n    command: merge\n    then: { accept: true }\n'
    expect(verdict([command])).toBe('Not merged: nobody has asked for it; rule "on request" waits for note.create.')
  })
  it.each([
    ['merged', 'Merged.'],
    ['closed', 'Not merged: it is closed.'],
    ['locked', 'The service is merging it.'],
  ])('of one that is %s says so', (state, sentence) => {
    expect(verdict([merging], { state })).toBe(sentence)
  })
  it('says why Bellhop stopped', () => {
    const off = { offLabel: 'off' }
    expect(verdict([merging], { labels: ['off'] }, off)).toBe('Not merged: the label off is on it.')
    const broken = { ...file(rules(merging)), path: '.bellhop.yml', broken: true }
    expect(sayVerdict(decided(input([broken])))).toMatch(/^Not merged: \.bellhop\.yml is broken: /)
  })
  it('follows the response to the merge', () => {
    const decision = decided(
      input([file(rules(merging))], { answers: answers({ labels: ['ready'], ...pipeline('success') }) }),
    )
    const call = decision.calls.find(({ endpoint }) => endpoint === 'mergeRequests.accept')
    const said = (result: CallResponse['result'], message?: string) => {
      const response = { call, result, status: 200, tookMs: 1, message } as CallResponse
      return sayVerdict({ ...decision, responses: [response] } as Decision)
    }
    expect(call).toBeDefined()
    expect(said('done')).toBe('Merged, by rule "merge updates".')
    expect(said('refused', '405 Method Not Allowed')).toBe('Not merged: the service answered 405 Method Not Allowed.')
  })
})
