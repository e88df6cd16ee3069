import Contract
import System

/// The pages for administrators: tokens with the scope `admin`, and everybody if the server has no tokens.
enum PageAdminRoutes {
    static let all: [Route] = [
        PageRoutes.page(.get, "/page/admin", "pageAdmin", scope: .admin) { call, backend in
            .work(.waiters) { overview(call, backend) }
        },
        PageRoutes.page(
            .post, "/page/admin/cancel", "pageAdminCancel", scope: .admin, body: .fields(limit: 4_096),
            failing: [404]
        ) { call, backend in
            .work(.waiters) {
                await change(call, backend) { (kept) throws(ETLError) in
                    await backend.jobs.cancel(kept.options.job)
                    return true
                }
            }
        },
        PageRoutes.page(
            .post, "/page/admin/repeat", "pageAdminRepeat", scope: .admin, body: .fields(limit: 4_096),
            failing: [404]
        ) { call, backend in
            .work(.waiters) {
                await change(call, backend) { (kept) throws(ETLError) in
                    try await backend.jobs.repeat(kept.id)
                }
            }
        },
        PageRoutes.page(.get, "/page/admin/delete", "pageAdminDelete", scope: .admin, failing: [404]) {
            call, backend in
            .work(.waiters) { ask(call, backend) }
        },
        PageRoutes.page(
            .post, "/page/admin/delete", "pageAdminDeleted", scope: .admin, body: .fields(limit: 4_096),
            failing: [404, 409]
        ) { call, backend in
            .work(.waiters) { await delete(call, backend) }
        },
    ]

    /// Maximum number of ended jobs on the page.
    private static let mostEnded = 50

    private static func overview(_ call: Route.Call, _ backend: Backend) -> Response {
        do throws(ETLError) {
            let running = backend.jobs.load.running
            func item(_ kept: QueuedJob) -> AdminPage.Item {
                AdminPage.Item(
                    kept: kept, state: backend.hub[kept.options.job]?.state ?? kept.state.jobState,
                    position: backend.jobs.position(of: kept.options.job),
                    wait: backend.jobs.wait(of: kept.options.job)?.until,
                    isRunning: running == kept.options.job, mayRepeat: backend.jobs.canRepeat(kept))
            }
            let open = backend.jobs.recent { !$0.state.isEnd }.map(item)
            let ended = backend.jobs.recent(most: mostEnded) { $0.state.isEnd }.map(item)
            let page = AdminPage(
                queue: open.sorted { ($0.order, $0.kept.id) < ($1.order, $1.kept.id) },
                ended: ended,
                accounts: try backend.accounts(call.authentication),
                nightly: backend.nightly.map { ($0.run, $0.next) }, covers: backend.covers?.run,
                now: backend.clock.epochMilliseconds(),
                viewer: call.viewer(backend))
            return PageRoutes.html(page.document())
        } catch {
            return PageRoutes.failure(error, call)
        }
    }

    /// Changes the job that a form names.
    ///
    /// - Parameter change: Returns whether the job could be changed.
    private static func change(
        _ call: Route.Call, _ backend: Backend,
        _ change: (QueuedJob) async throws(ETLError) -> Bool
    ) async -> Response {
        do throws(ETLError) {
            guard let id = call.value("job").flatMap({ Int64($0) }),
                let kept = backend.jobs.job(id), try await change(kept)
            else { return PageRoutes.failure("There is no such job any more.", status: 404, call) }
            return PageRoutes.seeOther("/page/admin")
        } catch {
            return PageRoutes.failure(error, call)
        }
    }

    // MARK: Accounts

    /// The account that a request names; nil if there is none, or nothing of it to delete.
    private static func account(
        _ token: String?, _ library: String?, _ call: Route.Call, _ backend: Backend
    ) throws(ETLError) -> Account? {
        try backend.accounts(call.authentication).first { account in
            account.isDeletable
                && (account.token != nil
                    ? account.token == token : token == nil && account.library == library)
        }
    }

    private static func unknown(_ call: Route.Call) -> Response {
        PageRoutes.failure("There is no such account.", status: 404, call)
    }

    private static func ask(_ call: Route.Call, _ backend: Backend) -> Response {
        do throws(ETLError) {
            guard
                let account = try account(
                    call.parameter("token"), call.parameter("library"), call, backend)
            else { return unknown(call) }
            return PageRoutes.html(
                DeletionPage(account: account, viewer: call.viewer(backend)).document())
        } catch {
            return PageRoutes.failure(error, call)
        }
    }

    private static func delete(_ call: Route.Call, _ backend: Backend) async -> Response {
        do throws(ETLError) {
            guard let account = try account(call.value("token"), call.value("library"), call, backend) else {
                return unknown(call)
            }
            var page = DeletionPage(account: account, viewer: call.viewer(backend))
            guard account.token == nil || account.token != call.access.name else {
                page.refusal = "You are signed in with this token. Delete it with another one."
                return PageRoutes.html(page.document(), status: 400)
            }
            guard call.value("name") == account.name else {
                page.refusal = "This is not the name. Nothing was deleted."
                return PageRoutes.html(page.document(), status: 400)
            }
            let deleted = try await backend.delete(account, call.authentication)
            backend.settings.log?.add(
                AccessLog.Event(
                    time: backend.clock.epochMilliseconds(), name: "account.deleted", job: nil,
                    result: "completed", sentence: account.name))
            return PageRoutes.html(page.document(deleted))
        } catch {
            return PageRoutes.failure(error, call)
        }
    }
}
