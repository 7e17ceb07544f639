// Notices: each kind has a sentence, and text from outside means nothing to a chat tool.
import { createNotification, type NotificationContent } from '../../../src/bot/notifications/notification.ts'

const head = { key: 'k', at: '2026-11-21T12:00:00.000Z' }
const since = '2026-11-21T11:00:00.000Z'
const failed = (reason: string): NotificationContent => ({
  kind: 'job_failed',
  about: { queue: 'mergeRequests', job: 'j', reason, failedAt: since, project: 7, iid: 42 },
})

test.each<[NotificationContent, RegExp]>([
  [
    failed('it is so'),
    /a job of !42 of project 7 failed \(mergeRequests j\): it is so\. .*bellhop queue retry mergeRequests j$/,
  ],
  [
    {
      kind: 'job_failed',
      about: {
        ...{ queue: 'mergeRequests', job: 'j', reason: 'r', failedAt: since, project: 7, iid: 42 },
        ...{ projectPath: 'hotel/app', title: 'Fix', url: 'https://git.example.com/hotel/app/-/merge_requests/42' },
      },
    },
    /a job of hotel\/app!42 · Fix failed .* · https:\/\/git\.example\.com\/hotel\/app\/-\/merge_requests\/42$/,
  ],
  [
    {
      kind: 'rule_file_broken',
      about: { project: 7, projectPath: 'hotel/app', path: '.bellhop.yml', blob: 'b', problems: ['p'] },
    },
    /\.bellhop\.yml of hotel\/app is broken: p\./,
  ],
  [{ kind: 'service_paused', about: { is: 'unreachable', since, reason: 'r' } }, /is unreachable since \S+: r\./],
  [
    { kind: 'service_paused', about: { is: 'token_rejected', since, reason: 'r' } },
    /rejects the token .*a valid token/,
  ],
  [{ kind: 'service_works_again', about: { was: 'token_rejected', since } }, /is available again/],
  [
    { kind: 'token_expires', about: { expiresAt: '2026-11-28', daysLeft: 7 } },
    /expires in 7 days \(2026-11-28, UTC\)\. .*bellhop token rotate/,
  ],
  [
    { kind: 'hook_disabled', about: { project: 7, projectPath: '', hook: 3, until: null } },
    /hook 3 of project 7 is disabled.*test/,
  ],
  ...[
    ['main', 'main'],
    ["a;$(id)'b", "'a;$(id)'\\''b'"],
  ].map(([target = '', word = '']): [NotificationContent, RegExp] => [
    { kind: 'merge_queue_paused', about: { project: 7, projectPath: 'hotel/app', target, reason: 'merge_trains' } },
    new RegExp(`bellhop merge-queue resume hotel/app ${word.replaceAll(/[\\\]$();|]/g, '\\$&')}$`),
  ]),
  [
    {
      kind: 'merged_elsewhere',
      about: { project: 7, projectPath: 'hotel/app', iid: 42, target: 'production', evaluated: 'main' },
    },
    /hotel\/app!42 was merged into production, .* evaluated for main: .*Check production, and revert/,
  ],
  ...['bob', ''].map((by): [NotificationContent, RegExp] => [
    {
      kind: 'merged_past_rules',
      about: { project: 7, projectPath: 'hotel/app', iid: 42, by, rule: 'merge', conditions: ['a: b', 'c: d'] },
    },
    new RegExp(
      `${by || 'somebody'} merged hotel/app!42 past the rules\\. The nearest rule, merge, lacked: a: b; c: d\\.`,
    ),
  ]),
])('the sentence of %o tells what and what to do', (notified, said) => {
  expect(createNotification(notified, head)).toMatchObject({
    version: 1,
    ...notified,
    text: expect.stringMatching(said),
  })
})

test('the same thing has the same id, another has another', () => {
  const id = (notified: NotificationContent, key: string) => createNotification(notified, { ...head, key }).id
  expect(id(failed('a'), '1')).toBe(id(failed('b'), '1'))
  expect(id(failed('a'), '1')).not.toBe(id(failed('a'), '2'))
  expect(id(failed('a'), '1')).toMatch(/^notification-[0-9a-f]{40}$/)
})

test('an address that a chat tool may take for something else is left out', () => {
  const about = { queue: 'q', job: 'j', reason: 'r', failedAt: since, project: 7, url: 'https://git.example.com/@all' }
  expect(JSON.stringify(createNotification({ kind: 'job_failed', about }, head))).not.toContain('git.example.com/')
})

test('an issue is named by its own number', () => {
  const about = { queue: 'mergeRequests', job: 'j', reason: 'r', failedAt: since, project: 7, iid: -42 }
  const { text, about: said } = createNotification({ kind: 'job_failed', about }, head)
  expect(text).toContain('a job of #42 of project 7 failed')
  expect(said).toMatchObject({ project: 7, iid: 42, subject: 'issue' })
})

test('text from outside brings no link, mention, markup or control character, and is cut', () => {
  const notification = createNotification(
    failed(`<!channel> @all [x](http://evil.example) **b** \`c\`\u001b[2J\u202e\ud800\n${'x'.repeat(5_000)}`),
    head,
  )
  const said = JSON.stringify(notification)
  for (const each of ['<', '>', '@', '](', '://', '**', '`', '\\n', '\\u']) expect(said).not.toContain(each)
  expect(said).toContain('channel')
  expect(notification.text.length).toBeLessThan(800)
})
