// The codes of log events: each that the bot writes is in the list, and is a snake_case code.
import { readdirSync, readFileSync } from 'node:fs'

/** The codes of `event`, by which people filter and alert. */
const logEvents = `
  delivery_accepted delivery_duplicate delivery_not_enqueued delivery_unauthorized delivery_cut_off
  delivery_refused deliveries_refused capacity_available capacity_low capacity_exhausted queue_unreachable
  redis_replicas_online redis_replicas_gone delivery_read delivery_not_saved project_not_visible
  delivery_evaluated_again duplicate_event replay
  evaluated rule_matched lost_response_reconciled call decided merged_elsewhere merged_elsewhere_not_noted
  merged_past_rules
  merge_queue_step queue_note_not_written queue_landed_not_closed queue_branch_not_deleted
  queue_pipeline_not_canceled queue_head_not_fetched queue_head_not_merged queue_repository_unreadable
  rebase_not_compared
  rules_changed rule_file_broken including_project_unreadable issues_unreadable merge_requests_unreadable
  rule_change_note_written rule_change_note_skipped
  sweep sweep_enqueued sweep_not_enqueued hook_disabled hook_status_unknown hook_repaired hook_not_repaired
  journal_available journal_unavailable job_failed job_taken_over worker_error service_paused service_available
  service_rate_limited service_token_rejected service_token_expires token_expiry_unknown service_unreachable
  traces_not_exported traces_exported request request_failed not_enqueued retention_failed notification_sent
  notification_not_sent notification_not_enqueued
  chat_posted chat_not_posted chat_post_dropped chat_unknown
`
  .trim()
  .split(/\s+/)

test('every event that the bot logs is a code of the list', () => {
  const paths = readdirSync('src/bot', { recursive: true, encoding: 'utf8' }).map((path) => `src/bot/${path}`)
  const files = paths.filter((path) => path.endsWith('.ts') && !/webhook|shared-rules/.test(path))
  const used = files.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/\bevent: '([^']+)'/g)].map(([, event]) => event),
  )
  expect(used.length).toBeGreaterThan(20)
  expect(used.filter((event) => !logEvents.includes(event ?? ''))).toEqual([])
  expect(logEvents.filter((event) => !/^[a-z]+(_[a-z]+)*$/.test(event))).toEqual([])
})
