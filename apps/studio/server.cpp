// The only file that knows Boost.Asio and Boost.Beast.
#include "server.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/status.hpp>
#include <boost/beast/http/string_body.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <optional>
#include <thread>

namespace knossos::studio {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using ErrorCode = boost::system::error_code;
using namespace std::chrono_literals;

namespace {

constexpr std::uint32_t most_header_bytes = 16 * 1024;
constexpr std::uint64_t most_body_bytes = std::uint64_t{1024} * 1024;
constexpr std::uint64_t most_gallery_bytes = 32 * most_body_bytes;
constexpr std::size_t most_connections = 512;
constexpr std::size_t most_streams = 300;
constexpr auto request_time = 10s; // for a whole request, however slowly it comes
constexpr auto answer_time = 30s;
constexpr auto stalled_stream_time = 120s;
constexpr auto tick_time = 50ms;
constexpr auto heartbeat_time = 15s;

constexpr std::string_view page_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

std::string_view view(boost::beast::string_view text) { return {text.data(), text.size()}; }

std::string lower(std::string_view text) {
    std::string result{text};
    for (char& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
}

std::string head_of(const Response& response, bool keep_alive) {
    const auto reason = http::obsolete_reason(http::int_to_status(static_cast<unsigned>(response.status)));
    std::string head = fmt::format("HTTP/1.1 {} {}\r\n", response.status, view(reason));
    bool has_policy = false;
    for (const auto& [name, value] : response.headers) {
        has_policy = has_policy || name == "Content-Security-Policy";
        head += fmt::format("{}: {}\r\n", name, value);
    }
    if (!has_policy) head += fmt::format("Content-Security-Policy: {}\r\n", page_policy);
    if (!response.content_type.empty()) head += fmt::format("Content-Type: {}\r\n", response.content_type);
    if (!response.events && response.status != 204)
        head += fmt::format("Content-Length: {}\r\n", response.body.size());
    head += "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
            "X-Frame-Options: DENY\r\nCross-Origin-Resource-Policy: same-origin\r\n"
            "Cross-Origin-Opener-Policy: same-origin\r\n";
    head += keep_alive ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n";
    return head;
}

} // namespace

class Server::Listener {
  public:
    Listener(Api& api, std::uint16_t port) : api_{api}, acceptor_{context_}, retry_{context_} {
        ErrorCode error;
        const tcp::endpoint endpoint{asio::ip::address_v4::loopback(), port};
        (void)acceptor_.open(endpoint.protocol(), error);
        (void)acceptor_.set_option(asio::socket_base::reuse_address(true), error);
        (void)acceptor_.bind(endpoint, error);
        if (!error) (void)acceptor_.listen(asio::socket_base::max_listen_connections, error);
        if (error)
            throw InputOutputError{fmt::format("can't listen on 127.0.0.1:{}: {}; --port takes another one",
                                               port, error.message())};
        const std::uint16_t actual = this->port();
        for (const char* name : {"127.0.0.1", "localhost"}) {
            hosts_.push_back(fmt::format("{}:{}", name, actual));
            if (actual == 80) hosts_.emplace_back(name);
        }
    }

    [[nodiscard]] std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
    [[nodiscard]] const std::vector<std::string>& hosts() const { return hosts_; }
    [[nodiscard]] Api& api() { return api_; }

    void run() {
        asio::signal_set signals{context_, SIGINT, SIGTERM};
        signals.async_wait([&](ErrorCode, int) { context_.stop(); });
        accept();
        std::jthread second{[&] { context_.run(); }};
        context_.run();
    }

    std::atomic<std::size_t> connections{0};
    std::atomic<std::size_t> streams{0};

  private:
    void accept();

    Api& api_;
    asio::io_context context_{2};
    tcp::acceptor acceptor_;
    asio::steady_timer retry_;
    std::vector<std::string> hosts_;

    class Connection;
};

/// One client. Everything happens on the strand of its socket.
class Server::Listener::Connection : public std::enable_shared_from_this<Connection> {
  public:
    Connection(tcp::socket socket, Listener& owner)
        : owner_{owner}, socket_{std::move(socket)}, deadline_{socket_.get_executor()} {
        ++owner_.connections;
    }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection() {
        --owner_.connections;
        if (events_) --owner_.streams;
    }

    void start() {
        asio::post(socket_.get_executor(), [self = shared_from_this()] { self->read(); });
    }

    void refuse() {
        asio::post(socket_.get_executor(),
                   [self = shared_from_this()] { self->fail(503, "there are too many connections"); });
    }

  private:
    // Cancels what is under way when the time is up; its handler sees timed_out_.
    void set_deadline(std::chrono::steady_clock::duration time) {
        timed_out_ = false;
        deadline_.expires_after(time);
        deadline_.async_wait([self = weak_from_this()](ErrorCode error) {
            const auto here = self.lock();
            if (!here || error || here->deadline_.expiry() > std::chrono::steady_clock::now()) return;
            here->timed_out_ = true;
            ErrorCode ignored;
            (void)here->socket_.cancel(ignored);
        });
    }

    void read() {
        parser_.emplace();
        parser_->header_limit(most_header_bytes);
        parser_->body_limit(most_gallery_bytes);
        set_deadline(request_time);
        http::async_read_header(
            socket_, buffer_, *parser_,
            [self = shared_from_this()](ErrorCode error, std::size_t) { self->have_header(error); });
    }

    void have_header(ErrorCode error) {
        if (error) return broken(error);
        if (!check_origin()) return;
        if (parser_->content_length().value_or(0) > most_bytes()) return too_long();
        parser_->body_limit(most_bytes());
        if (parser_->is_done()) return answer();
        http::async_read(socket_, buffer_, *parser_,
                         [self = shared_from_this()](ErrorCode failure, std::size_t) {
                             if (failure) return self->broken(failure);
                             self->answer();
                         });
    }

    // Of all that is sent here only galleries are long.
    std::uint64_t most_bytes() const {
        return view(parser_->get().target()).starts_with("/api/galleries") ? most_gallery_bytes
                                                                           : most_body_bytes;
    }
    void too_long() { fail(413, fmt::format("a body has at most {} bytes", most_bytes())); }

    void broken(ErrorCode error) {
        if (timed_out_ && (parser_->got_some() || buffer_.size() > 0))
            return fail(408, "the request took too long");
        if (error == http::error::header_limit || error == http::error::buffer_overflow)
            return fail(431, "the header is too large");
        if (error == http::error::body_limit) return too_long();
        if (error == http::error::end_of_stream ||
            error.category() != http::make_error_code(http::error::bad_method).category())
            return close();
        fail(400, "this is no HTTP request");
    }

    // A page from elsewhere can make a browser send requests here, under another name (DNS rebinding) or from
    // another origin. Neither is served.
    bool check_origin() {
        const auto& message = parser_->get();
        const auto refuse = [&](int status, std::string_view why) {
            fail(status, why);
            return false;
        };
        if (message.count(http::field::host) != 1) return refuse(400, "there must be one Host");
        const auto& hosts = owner_.hosts();
        if (std::ranges::find(hosts, lower(view(message[http::field::host]))) == hosts.end())
            return refuse(421, "this server answers only under its own address");
        if (const auto origin = message.find(http::field::origin); origin != message.end()) {
            const std::string given = lower(view(origin->value()));
            if (std::ranges::none_of(hosts,
                                     [&](const std::string& host) { return given == "http://" + host; }))
                return refuse(403, "requests from other origins are refused");
        }
        const auto site = message.find("Sec-Fetch-Site");
        const bool elsewhere =
            site != message.end() && site->value() != "same-origin" && site->value() != "none";
        if (elsewhere && view(message.target()).starts_with("/api"))
            return refuse(403, "requests from other sites are refused");
        return true;
    }

    void answer() {
        auto& message = parser_->get();
        Request request{.method = std::string{view(message.method_string())},
                        .path = {},
                        .query = {},
                        .content_type = std::string{view(message[http::field::content_type])},
                        .body = std::move(message.body())};
        if (!read_target(view(message.target()), request)) return fail(400, "the target makes no sense");
        Response response = owner_.api().answer(request);
        if (response.events && request.method != "HEAD") return stream(std::move(response));
        const bool keep = message.keep_alive();
        if (request.method == "HEAD") {
            out_ = head_of(response, keep);
        } else {
            out_ = head_of(response, keep) + response.body;
        }
        set_deadline(answer_time);
        asio::async_write(socket_, asio::buffer(out_),
                          [self = shared_from_this(), keep](ErrorCode error, std::size_t) {
                              if (error) return self->close();
                              if (keep) return self->read();
                              self->linger();
                          });
    }

    void fail(int status, std::string_view message) {
        const Response response = problem_response(status, message);
        out_ = head_of(response, false) + response.body;
        set_deadline(2s);
        asio::async_write(socket_, asio::buffer(out_),
                          [self = shared_from_this()](ErrorCode error, std::size_t) {
                              if (error) return self->close();
                              self->linger();
                          });
    }

    // Closing while the client still sends would make it lose the answer: what comes is thrown away for a
    // while.
    void linger() {
        ErrorCode ignored;
        (void)socket_.shutdown(tcp::socket::shutdown_send, ignored);
        set_deadline(1s);
        discard();
    }
    void discard() {
        socket_.async_read_some(asio::buffer(spare_),
                                [self = shared_from_this()](ErrorCode error, std::size_t count) {
                                    self->discarded_ += count;
                                    if (error || self->discarded_ > most_body_bytes) return self->close();
                                    self->discard();
                                });
    }

    void close() {
        deadline_.cancel();
        closed_ = true;
        ErrorCode ignored;
        (void)socket_.close(ignored);
    }

    // --- events

    void stream(Response response) {
        if (++owner_.streams > most_streams) {
            --owner_.streams;
            return fail(503, "there are too many streams");
        }
        events_ = std::move(response.events);
        response.events = [](std::uint64_t&, bool&) { return nullptr; };
        ErrorCode ignored;
        // A slow client is to get the newest state, not what has piled up here.
        (void)socket_.set_option(asio::socket_base::send_buffer_size(64 * 1024), ignored);
        event_ = std::make_shared<const std::string>(head_of(response, false) + "retry: 1000\n\n");
        send_event();
        watch();
    }

    // Notices that the client has gone.
    void watch() {
        socket_.async_read_some(
            asio::buffer(spare_), [self = shared_from_this()](ErrorCode error, std::size_t) {
                if (self->closed_ || (error == asio::error::operation_aborted && !self->timed_out_)) return;
                self->close();
            });
    }

    void send_event() {
        set_deadline(stalled_stream_time);
        asio::async_write(socket_, asio::buffer(*event_),
                          [self = shared_from_this()](ErrorCode error, std::size_t) {
                              if (error || self->closed_) return self->close();
                              self->event_.reset();
                              self->sent_at_ = std::chrono::steady_clock::now();
                              if (self->over_) return self->linger();
                              self->wait();
                          });
    }

    void wait() {
        deadline_.expires_after(tick_time);
        deadline_.async_wait([self = shared_from_this()](ErrorCode error) {
            if (!error && !self->closed_) self->tick();
        });
    }

    void tick() {
        try {
            event_ = events_(version_, over_);
        } catch (const std::exception&) {
            return close();
        }
        if (!event_ && std::chrono::steady_clock::now() - sent_at_ > heartbeat_time)
            event_ = std::make_shared<const std::string>(":\n\n");
        if (event_) return send_event();
        wait();
    }

    Listener& owner_;
    tcp::socket socket_;
    asio::steady_timer deadline_;
    boost::beast::flat_buffer buffer_{std::size_t{64} * 1024};
    std::optional<http::request_parser<http::string_body>> parser_;
    std::string out_;
    std::array<char, 4096> spare_{};
    std::uint64_t discarded_ = 0;
    bool timed_out_ = false;
    bool closed_ = false;
    Events events_;
    std::uint64_t version_ = 0;
    bool over_ = false;
    std::shared_ptr<const std::string> event_;
    std::chrono::steady_clock::time_point sent_at_{};
};

void Server::Listener::accept() {
    acceptor_.async_accept(asio::make_strand(context_), [this](ErrorCode error, tcp::socket socket) {
        if (error == asio::error::operation_aborted) return;
        if (error) { // out of file descriptors, most likely
            retry_.expires_after(100ms);
            return retry_.async_wait([this](ErrorCode) { accept(); });
        }
        const auto connection = std::make_shared<Connection>(std::move(socket), *this);
        if (connections > most_connections)
            connection->refuse();
        else
            connection->start();
        accept();
    });
}

Server::Server(Api& api, std::uint16_t port) : listener_{std::make_unique<Listener>(api, port)} {}
Server::~Server() = default;
std::uint16_t Server::port() const { return listener_->port(); }
void Server::run() { listener_->run(); }

} // namespace knossos::studio
