// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "front/folders.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <climits>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace weft {
namespace {

/** Links on one way; the kernel's own number. */
constexpr unsigned mostLinks = 40;

/** A way from a folder on, without leaving it. Openat2 could do it with RESOLVE_BENEATH, but has
 *  flags that the filter of system calls cannot see (confine.cc). */
class Walk {
  public:
    explicit Walk(llvm::StringRef folder) {
        int fd = open(folder.str().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (fd >= 0)
            folders.push_back(fd);
    }
    ~Walk() {
        for (int fd : folders)
            close(fd);
    }
    Walk(const Walk &) = delete;
    Walk &operator=(const Walk &) = delete;

    /** A descriptor of what `way` leads to; -1: of nothing beneath. */
    int go(llvm::StringRef way, bool toRead) {
        push(way);
        while (!folders.empty() && !steps.empty()) {
            std::string step = std::move(steps.back());
            steps.pop_back();
            if (step == "..") {
                if (folders.size() == 1)
                    return -1;
                close(folders.pop_back_val());
                continue;
            }
            int fd = openat(folders.back(), step.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC);
            struct stat status;
            if (fd < 0 || fstat(fd, &status) != 0)
                return fd; /* a failure of fstat is the caller's to see */
            if (S_ISDIR(status.st_mode)) {
                folders.push_back(fd);
                continue;
            }
            bool goesOn = S_ISLNK(status.st_mode) && follow(fd);
            if (goesOn || S_ISLNK(status.st_mode) || !steps.empty() || !S_ISREG(status.st_mode)) {
                close(fd);
                if (goesOn)
                    continue;
                return -1;
            }
            if (!toRead)
                return fd;
            close(fd);
            /* It may be another by now, but one of this folder. */
            return openat(folders.back(), step.c_str(),
                          O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        }
        return folders.empty() ? -1 : folders.pop_back_val();
    }

  private:
    /** The steps of a way, to be gone before those that are left. */
    void push(llvm::StringRef way) {
        llvm::SmallVector<llvm::StringRef, 8> parts;
        way.split(parts, '/', -1, false);
        for (size_t i = parts.size(); i-- > 0;)
            if (parts[i] != ".")
                steps.push_back(parts[i].str());
    }

    bool follow(int link) {
        char target[PATH_MAX];
        ssize_t bytes = readlinkat(link, "", target, sizeof target);
        if (bytes <= 0 || target[0] == '/' || ++links > mostLinks)
            return false;
        push(llvm::StringRef(target, static_cast<size_t>(bytes)));
        return true;
    }

    llvm::SmallVector<int, 8> folders; /* the first is the one that is not left */
    std::vector<std::string> steps;    /* the next one last */
    unsigned links = 0;
};

/** A file that is open. */
class OpenFile : public llvm::vfs::File {
  public:
    OpenFile(int fd, llvm::vfs::Status status) : fd(fd), its(std::move(status)) {}
    ~OpenFile() override { (void)OpenFile::close(); }

    llvm::ErrorOr<llvm::vfs::Status> status() override { return its; }
    llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
    getBuffer(const llvm::Twine &name, int64_t bytes, bool needsNul, bool isVolatile) override {
        return llvm::MemoryBuffer::getOpenFile(
            fd, name, bytes < 0 ? UINT64_MAX : static_cast<uint64_t>(bytes), needsNul, isVolatile);
    }
    std::error_code close() override {
        if (fd >= 0)
            ::close(fd);
        fd = -1;
        return {};
    }

  private:
    int fd;
    llvm::vfs::Status its;
};

std::error_code absent() {
    return std::make_error_code(std::errc::no_such_file_or_directory);
}

/** As in source.cc: what the kernel says of processes is no source. */
bool isOfKernel(int fd) {
    struct statfs system;
    return fstatfs(fd, &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

/** Without an error only if there is a file or folder behind the descriptor. */
llvm::ErrorOr<llvm::vfs::Status> statusOf(int fd, const llvm::Twine &path) {
    llvm::sys::fs::file_status status;
    if (llvm::sys::fs::status(fd, status))
        return absent();
    return llvm::vfs::Status::copyWithNewName(status, path);
}

} // namespace

int FolderFiles::find(llvm::StringRef path, bool toRead) {
    for (llvm::StringRef folder : folders) {
        llvm::StringRef way = path;
        llvm::StringRef prefix = folder.rtrim('/'); /* "": the root */
        if (folder.empty() || !way.consume_front(prefix) || !(way.empty() || way.starts_with("/")))
            continue;
        touched |= !way.empty();
        int fd = Walk(folder).go(way, toRead);
        if (fd >= 0)
            return fd;
    }
    return -1;
}

llvm::ErrorOr<llvm::vfs::Status> FolderFiles::status(const llvm::Twine &path) {
    llvm::SmallString<128> storage;
    int fd = find(path.toStringRef(storage), false);
    if (fd < 0)
        return absent();
    auto found = statusOf(fd, path);
    close(fd);
    return found;
}

llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
FolderFiles::openFileForRead(const llvm::Twine &path) {
    llvm::SmallString<128> storage;
    int fd = find(path.toStringRef(storage), true);
    if (fd < 0)
        return absent();
    auto found = statusOf(fd, path);
    if (!found || !found->isRegularFile() || isOfKernel(fd)) {
        close(fd);
        return absent();
    }
    return std::make_unique<OpenFile>(fd, *found);
}

llvm::vfs::directory_iterator FolderFiles::dir_begin(const llvm::Twine &, std::error_code &error) {
    error = absent();
    return {};
}

llvm::ErrorOr<std::string> FolderFiles::getCurrentWorkingDirectory() const {
    llvm::SmallString<128> path;
    if (llvm::sys::fs::current_path(path))
        return std::string("/");
    return std::string(path);
}

std::error_code FolderFiles::setCurrentWorkingDirectory(const llvm::Twine &) {
    return std::make_error_code(std::errc::operation_not_permitted);
}

} // namespace weft
